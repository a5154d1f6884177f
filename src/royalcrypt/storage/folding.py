"""A thread that folds the write-ahead log into the file, little by little, while the writer goes on."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from royalcrypt.storage.connecting import STORAGE_FAILURES
from royalcrypt.storage.raw import Raw


class Folder:
    """Leaves the writer, who must do it once in a while to start the log anew, next to nothing to fold."""

    def __init__(self, connect: Callable[[], Raw], *, seconds: float) -> None:
        self._connect = connect
        self._seconds = seconds
        self._is_closed = Event()
        self._thread = Thread(target=self._serve, name="storage-folder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()

    def join(self) -> None:
        """Wait, off the event loop, until the connection is closed."""
        self._thread.join()

    def _serve(self) -> None:
        while not self._is_closed.wait(self._seconds):
            # What cannot be folded now is safe in the log: the next round tries again.
            with suppress(*STORAGE_FAILURES):
                self._fold()

    def _fold(self) -> None:
        raw = self._connect()
        try:
            while not self._is_closed.wait(self._seconds):
                raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        finally:
            raw.close()
