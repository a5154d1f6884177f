"""Whether the files of a data set are those that were written, and tell just what the games' steps tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from royalcrypt.lab.dataset.plans import Shard
from royalcrypt.lab.dataset.playing import Column, UnsoundSteps, trace_games
from royalcrypt.lab.dataset.reading import Dataset
from royalcrypt.lab.dataset.schema import DECISIONS, GAMES, NAMES, arrow_tables
from royalcrypt.lab.dataset.writing import SUMS, Folder, checksum
from royalcrypt.notation.reasons import Reason, Refusal

HOPES = ["win", "score"]
"""Columns of which the steps of a game tell nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A shard that somebody is to check."""

    folder: str
    shard: Shard


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a file: a word for it, and the game where it shows."""

    file: str
    why: str
    game: int = 0


def pieces(folder: Path) -> list[Piece]:
    return [Piece(str(folder), shard) for shard in Dataset(folder).plan.shards()]


def check_shard(piece: Piece) -> list[Finding]:
    found = Dataset(piece.folder)
    sums = checksums(found.folder)
    files = {name: found.folder.file(name, piece.shard) for name in NAMES}
    names = {name: file.relative_to(found.folder.path).as_posix() for name, file in files.items()}
    missing = [Finding(names[name], "missing") for name, file in files.items() if not file.exists()]
    if missing:
        return missing
    changed = [
        Finding(names[name], "changed")
        for name, file in files.items()
        if sums.get(names[name]) != checksum(file)
    ]
    if changed:
        return changed
    tables = {name: found.part(name, piece.shard) for name in NAMES}
    try:
        rows = trace_games(found.plan, piece.shard.numbers, _steps(tables[GAMES]))
    except UnsoundSteps as unsound:
        return [Finding(names[GAMES], "unsound", unsound.number)]
    told = arrow_tables(found.plan, rows)
    tables[DECISIONS], told[DECISIONS] = (
        table.drop_columns(HOPES) for table in (tables[DECISIONS], told[DECISIONS])
    )
    return [Finding(names[name], "untrue") for name in NAMES if not tables[name].equals(told[name])]


def checksums(folder: Folder) -> dict[str, str]:
    file = folder.path / SUMS
    try:
        lines = file.read_text("ascii").splitlines()
    except (OSError, ValueError) as error:
        raise Refusal(
            Reason.CANNOT_READ, file=str(file), why=getattr(error, "strerror", None) or "?"
        ) from None
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _steps(games: Any) -> Iterator[Column]:
    column: Any = games["steps"].combine_chunks()
    flat = column.values.to_numpy()
    ends = column.offsets.to_numpy()
    for first, last in pairwise(ends):
        yield flat[first:last]
