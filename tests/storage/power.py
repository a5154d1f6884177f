"""A disk whose power can be cut: what was written but not yet synced may be lost, in part or as a whole.

SQLite works on real files through ``PowerVfs``, which notes every change in order; ``recorded`` also notes
what Python does to files and folders. A cut is made afterwards, at any moment of these notes: what was synced
before is there; of the rest, chance decides. Without chance all of it is there, as after a program is killed.
"""

import os
import random
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import apsw
import msgspec

SECTOR = 512
PREFIX, SUBSET, NOTHING, EVERYTHING = range(4)
NUMBERS = count()
SYSTEM: str = apsw.vfs_names()[0]
"""The name of SQLite's own VFS, whichever is the default later."""
T = TypeVar("T")


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
    is_folder: bool = False


class Delete(msgspec.Struct, frozen=True):
    file: str
    is_synced: bool


class Content(msgspec.Struct, frozen=True):
    """All that is in a file now, however it was written."""

    file: str
    data: bytes


class Rename(msgspec.Struct, frozen=True):
    file: str
    new: str
    is_link: bool = False
    """Whether the old name stays."""


class SyncNames(msgspec.Struct, frozen=True):
    folder: str


class Told(msgspec.Struct, frozen=True):
    """Not of the disk: something that was promised at this moment."""

    what: Any


Note = Write | Truncate | Sync | Create | Delete | Content | Rename | SyncNames | Told


class PowerVfs(apsw.VFS):
    def __init__(self, name: str, root: Path | None = None) -> None:
        super().__init__(name, SYSTEM, makedefault=root is not None)
        self.name = name
        self.root = root
        self.notes: list[Note] = []

    def key(self, file: str | Path) -> str | None:
        """The name of a file below the root; None elsewhere."""
        if self.root is None:
            return Path(file).name
        found = Path(file).parent.resolve() / Path(file).name
        return found.relative_to(self.root).as_posix() if found.is_relative_to(self.root) else None

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802 (SQLite's name)
        file = name.filename() if isinstance(name, apsw.URIFilename) else name
        key = None if file is None else self.key(file)
        if file is None or key is None:  # for a moment only, and gone with the power
            return apsw.VFSFile(SYSTEM, name, flags)
        if not Path(file).exists():
            if flags[0] & apsw.SQLITE_OPEN_CREATE:
                self.notes.append(Create(key))
        elif not Path(file).stat().st_size:  # Perhaps Python has just made it.
            self.notes.append(Content(key, b""))
        return PowerFile(self.notes, key, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        key = self.key(filename)
        if key is not None:
            self.notes.append(Delete(key, bool(syncdir)))


class PowerFile(apsw.VFSFile):
    def __init__(self, notes: list[Note], file: str, name: Any, flags: list[int]) -> None:
        super().__init__(SYSTEM, name, flags)
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


@contextmanager
def recorded(root: Path) -> Generator[list[Note]]:
    """Note all that SQLite and Python do below a folder; Linux only, and not for threads that outlive it."""
    vfs = PowerVfs(f"recorded-{next(NUMBERS)}", root)
    try:
        with ExitStack() as stack:
            for name, made in PythonCalls(vfs).replacements().items():
                stack.enter_context(patch.object(os, name, made))
            yield vfs.notes
    finally:
        vfs.unregister()


class PythonCalls:
    """The functions of ``os`` that change files and names, each noting what it does."""

    def __init__(self, vfs: PowerVfs) -> None:
        self._vfs = vfs
        self._notes = vfs.notes

    def replacements(self) -> dict[str, Callable[..., Any]]:
        return {
            "fsync": self._fsync(os.fsync),
            "mkdir": self._mkdir(os.mkdir),
            **{
                name: self._rename(getattr(os, name), is_link=name == "link")
                for name in ("rename", "replace", "link")
            },
            **{name: self._delete(getattr(os, name)) for name in ("unlink", "remove", "rmdir")},
        }

    def _key(self, path: str | Path, folder: int | None = None) -> str | None:
        return self._vfs.key(Path(f"/proc/self/fd/{folder}").readlink() / path if folder else path)

    def _note_content(self, key: str, path: Any) -> None:
        if Path(path).is_file():
            self._notes.append(Content(key, Path(path).read_bytes()))

    def _fsync(self, do: Callable[[int], None]) -> Callable[[int], None]:
        def fsync(handle: int) -> None:
            path = Path(f"/proc/self/fd/{handle}").readlink()
            key = self._vfs.key(path)
            do(handle)
            if key is not None and path.is_dir():
                self._notes.append(SyncNames("" if key == "." else key))
            elif key is not None:
                self._note_content(key, path)
                self._notes.append(Sync(key))

        return fsync

    def _mkdir(self, do: Callable[..., None]) -> Callable[..., None]:
        def mkdir(path: Any, *arguments: Any, **more: Any) -> None:
            do(path, *arguments, **more)
            if (key := self._key(path)) is not None:
                self._notes.append(Create(key, is_folder=True))

        return mkdir

    def _rename(self, do: Callable[..., None], *, is_link: bool) -> Callable[..., None]:
        def rename(old: Any, new: Any, **more: Any) -> None:
            before, after = self._key(old), self._key(new)
            if before is not None:
                self._note_content(before, old)
            do(old, new, **more)
            if before is not None and after is not None:
                self._notes.append(Rename(before, after, is_link))

        return rename

    def _delete(self, do: Callable[..., None]) -> Callable[..., None]:
        def delete(path: Any, *, dir_fd: int | None = None) -> None:
            key = self._key(path, dir_fd)
            do(path, dir_fd=dir_fd)
            if key is not None:
                self._notes.append(Delete(key, is_synced=False))

        return delete


class Contents:
    """A file as it lies on the disk, and the changes that may not have reached it."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self.waiting: list[Write | Truncate] = []

    def sync(self) -> None:
        self.data = self.newest()
        self.waiting.clear()

    def newest(self) -> bytearray:
        data = bytearray(self.data)
        for change in self.waiting:
            _apply(data, change, b"\0")
        return data


class Folder:
    """The names in a folder as they are, and on the disk, and the changes that may not have reached it."""

    def __init__(self) -> None:
        self.names: dict[str, Contents | Folder] = {}
        self.synced: dict[str, Contents | Folder] = {}
        self.waiting: list[dict[str, Contents | Folder | None]] = []
        """Each with the new contents by name; None for a name that is deleted."""

    def change(self, changes: "dict[str, Contents | Folder | None]") -> None:
        self.waiting.append(changes)
        _rename(self.names, changes)

    def sync(self) -> None:
        self.synced = dict(self.names)
        self.waiting.clear()


class Disk:
    def __init__(self, before: dict[str, bytes]) -> None:
        self.root = Folder()
        for name, data in before.items():
            folder = self.root
            *parents, last = name.split("/")
            for parent in parents:
                folder.change({parent: folder.names.get(parent) or Folder()})
                folder.sync()
                folder = self.folder(parent, folder)
            folder.change({last: Contents(data)})
            folder.sync()

    def folder(self, path: str, start: Folder | None = None) -> Folder:
        found = start or self.root
        for name in filter(None, path.split("/")):
            below = found.names[name]
            assert isinstance(below, Folder)
            found = below
        return found

    def place(self, file: str) -> tuple[Folder, str]:
        parent, _, name = file.rpartition("/")
        return self.folder(parent), name

    def contents(self, file: str) -> Contents:
        """Of a file, which Python may have made without a note."""
        folder, name = self.place(file)
        if name not in folder.names:
            folder.change({name: Contents()})
        found = folder.names[name]
        assert isinstance(found, Contents)
        return found

    def take(self, note: Note) -> None:
        match note:
            case Write() | Truncate():
                self.contents(note.file).waiting.append(note)
            case Content():
                found = self.contents(note.file)
                if bytes(found.newest()) != note.data:
                    found.waiting += [Truncate(note.file, 0), Write(note.file, note.data, 0)]
            case Sync():
                self.contents(note.file).sync()
                if note.file.endswith(("-wal", "-journal")):  # SQLite syncs the folder of a new log.
                    self.place(note.file)[0].sync()
            case Create():
                folder, name = self.place(note.file)
                folder.change({name: Folder() if note.is_folder else Contents()})
            case Delete():
                folder, name = self.place(note.file)
                folder.change({name: None})
                if note.is_synced:
                    folder.sync()
            case Rename():
                self._rename(note)
            case SyncNames():
                self.folder(note.folder).sync()
            case Told():
                pass

    def _rename(self, note: Rename) -> None:
        (old, before), (new, after) = self.place(note.file), self.place(note.new)
        moved = old.names[before]
        left: dict[str, Contents | Folder | None] = {} if note.is_link else {before: None}
        if old is new:
            new.change({**left, after: moved})
        else:
            new.change({after: moved})
            if left:
                old.change(left)


def cut(before: dict[str, bytes], notes: Iterable[Note], chance: random.Random | None) -> dict[str, bytes]:
    """What is found, by name, when the power is back; without chance, after a kill."""
    disk = Disk(before)
    for note in notes:
        disk.take(note)
    return dict(_found_in(disk.root, chance, ""))


def _found_in(folder: Folder, chance: random.Random | None, path: str) -> Generator[tuple[str, bytes]]:
    names = dict(folder.synced)
    for change in folder.waiting if chance is None else _some(folder.waiting, chance):
        _rename(names, change)
    for name, found in names.items():
        if isinstance(found, Folder):
            yield from _found_in(found, chance, f"{path}{name}/")
        else:
            yield path + name, _found(found, chance)


def _rename(names: dict[str, Contents | Folder], change: dict[str, Contents | Folder | None]) -> None:
    for name, found in change.items():
        if found is None:
            names.pop(name, None)
        else:
            names[name] = found


def _found(contents: Contents, chance: random.Random | None) -> bytes:
    if chance is None:
        return bytes(contents.newest())
    data = bytearray(contents.data)
    filler = chance.choice((b"\0", b"\xa5"))
    kept = _some(contents.waiting, chance)
    for change in kept if kept is contents.waiting else [part for one in kept for part in _torn(one, chance)]:
        _apply(data, change, filler)
    return bytes(data)


def _some(waiting: "list[T]", chance: random.Random) -> "list[T]":
    match chance.choice((PREFIX, SUBSET, NOTHING, EVERYTHING)):
        case 0:
            return waiting[: chance.randint(0, len(waiting))]
        case 1:
            return [change for change in waiting if chance.random() < 0.5]
        case 2:
            return []
        case _:
            return waiting


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
