"""A disk that fails when it is told to."""

from typing import Any

import apsw


class FaultyVfs(apsw.VFS):
    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.writing: type[Exception] | None = None
        """Raised by every write, while it is set; so with the others."""
        self.syncing: type[Exception] | None = None
        self.opening: type[Exception] | None = None
        self.reading: type[Exception] | None = None

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 (SQLite's name)
        if self.opening:
            raise self.opening
        return FaultyFile(self, name, flags)


class FaultyFile(apsw.VFSFile):
    def __init__(self, vfs: FaultyVfs, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._vfs = vfs

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if self._vfs.reading:
            raise self._vfs.reading
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        if self._vfs.writing:
            raise self._vfs.writing
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        if self._vfs.syncing:
            raise self._vfs.syncing
        super().xSync(flags)
