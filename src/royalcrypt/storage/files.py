"""Changes of files and folders that survive a power failure."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file's content, or a directory's names, are on disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows stores names itself, and cannot open a directory.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and its missing parents, and wait until their names are on disk."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode, exist_ok=True)
        sync(path.parent)


def move(path: Path, target: Path) -> None:
    """Move a file, whose content is on disk, within a file system, and wait until its new name is, too."""
    path.replace(target)
    sync(target.parent)
