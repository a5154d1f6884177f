"""A disk whose power can be cut: what was written but not yet synced may be lost, in part or as a whole.

SQLite works on real files through ``PowerVfs``, which notes every change in order. A cut is made afterwards,
at any moment of these notes: what was synced before is there; of the rest, chance decides.
"""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw
import msgspec

SECTOR = 512
PREFIX, SUBSET, NOTHING, EVERYTHING = range(4)


class Write(msgspec.Struct, frozen=True):
    file: str
    data: bytes
    offset: int


class Truncate(msgspec.Struct, frozen=True):
    file: str
    size: int


class Sync(msgspec.Struct, frozen=True):
    file: str


class Create(msgspec.Struct, frozen=True):
    file: str


class Delete(msgspec.Struct, frozen=True):
    file: str
    is_synced: bool


class Told(msgspec.Struct, frozen=True):
    """Not of the disk: something that was promised at this moment."""

    what: Any


Note = Write | Truncate | Sync | Create | Delete | Told


class PowerVfs(apsw.VFS):
    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.name = name
        self.notes: list[Note] = []

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 (SQLite's name)
        if name is None:  # for a moment only, and gone with the power
            return apsw.VFSFile("", name, flags)
        file = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        if flags[0] & apsw.SQLITE_OPEN_CREATE and not file.exists():
            self.notes.append(Create(file.name))
        return PowerFile(self.notes, file.name, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.notes.append(Delete(Path(filename).name, bool(syncdir)))


class PowerFile(apsw.VFSFile):
    def __init__(self, notes: list[Note], file: str, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._notes = notes
        self._file = file

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._notes.append(Write(self._file, bytes(data), offset))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._notes.append(Truncate(self._file, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802 (kept from the real disk: a cut needs only the note)
        self._notes.append(Sync(self._file))


class Contents:
    """A file as it lies on the disk, and the changes that may not have reached it."""

    def __init__(self, data: bytes = b"", *, is_named: bool) -> None:
        self.data = bytearray(data)
        self.waiting: list[Write | Truncate] = []
        self.is_named = is_named
        """Whether its name is sure to be in the directory."""
        self.former: Contents | None = None
        """What had this name, and may have it again."""

    def sync(self) -> None:
        for change in self.waiting:
            _apply(self.data, change, b"\0")
        self.waiting.clear()


class Folder:
    def __init__(self, before: dict[str, bytes]) -> None:
        self.files = {name: Contents(data, is_named=True) for name, data in before.items()}
        self.gone: dict[str, Contents] = {}
        """Deleted, but their names may come back."""

    def take(self, note: Note) -> None:
        match note:
            case Write() | Truncate():
                self.files[note.file].waiting.append(note)
            case Sync():
                self.files[note.file].sync()
                if not self.files[note.file].is_named:
                    self._sync_names()  # As SQLite does with a new log.
            case Create():
                self.files[note.file] = Contents(is_named=False)
                self.files[note.file].former = self.gone.pop(note.file, None)
            case Delete():
                self.gone[note.file] = self.files.pop(note.file)
                if note.is_synced:
                    self._sync_names()
            case Told():
                pass

    def _sync_names(self) -> None:
        self.gone.clear()
        for contents in self.files.values():
            contents.is_named = True
            contents.former = None


def cut(before: dict[str, bytes], notes: Iterable[Note], chance: random.Random) -> dict[str, bytes]:
    """What is found, by name, when the power is back."""
    folder = Folder(before)
    for note in notes:
        folder.take(note)
    back = {name: former for name, former in folder.gone.items() if chance.random() < 0.5}
    found = {name: _found(contents, chance) for name, contents in (folder.files | back).items()}
    return {name: data for name, data in found.items() if data is not None}


def _found(contents: Contents, chance: random.Random) -> bytes | None:
    if not contents.is_named and chance.random() < 0.5:
        return _found(contents.former, chance) if contents.former else None
    data = bytearray(contents.data)
    filler = chance.choice((b"\0", b"\xa5"))
    for change in _surviving(contents.waiting, chance):
        _apply(data, change, filler)
    return bytes(data)


def _surviving(waiting: list[Write | Truncate], chance: random.Random) -> list[Write | Truncate]:
    match chance.choice((PREFIX, SUBSET, NOTHING, EVERYTHING)):
        case 0:
            kept = waiting[: chance.randint(0, len(waiting))]
        case 1:
            kept = [change for change in waiting if chance.random() < 0.5]
        case 2:
            kept = []
        case _:
            return waiting
    return [part for change in kept for part in _torn(change, chance)]


def _torn(change: Write | Truncate, chance: random.Random) -> list[Write | Truncate]:
    if isinstance(change, Truncate) or chance.random() < 0.7:
        return [change]
    return [
        Write(change.file, change.data[start : start + SECTOR], change.offset + start)
        for start in range(0, len(change.data), SECTOR)
        if chance.random() < 0.5
    ]


def _apply(data: bytearray, change: Write | Truncate, filler: bytes) -> None:
    end = change.size if isinstance(change, Truncate) else change.offset
    data.extend(filler * (end - len(data)))
    if isinstance(change, Truncate):
        del data[change.size :]
    else:
        data[change.offset : change.offset + len(change.data)] = change.data
