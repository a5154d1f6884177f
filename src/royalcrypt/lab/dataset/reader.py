"""Reads data sets as tables, as data frames and game by game, and verifies their files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from royalcrypt.lab.dataset.folder import SUMS, DatasetFolder, checksum, write_dataset
from royalcrypt.lab.dataset.plans import DatasetPlan, Shard
from royalcrypt.lab.dataset.rows import Column, UnsoundSteps, trace_games
from royalcrypt.lab.dataset.schema import DECISIONS, GAMES, NAMES, arrow_tables
from royalcrypt.lab.frames import arrow, must_have_frames, parquet
from royalcrypt.lab.tables import Deal
from royalcrypt.lab.worker_pools import worker_pool
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.game import Game
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.layout import CHANCE, NOBODY, blank
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, is_under_way

PREDICTIONS = ["win", "score"]
"""The columns that cannot be recomputed from the steps of a game."""


class Dataset:
    """A data set in a folder, as written by ``royalcrypt dataset``.

    ``table`` and ``frame`` read whole tables, or some of their columns; ``game`` and ``record`` replay one
    game, move by move, checked by the rules.
    """

    def __init__(self, folder: str | Path) -> None:
        must_have_frames()
        self.folder = DatasetFolder(Path(folder))
        self.plan = self.folder.plan()

    @classmethod
    def make(cls, folder: str | Path, *, jobs: int = 1, **options: Any) -> "Dataset":
        """Write a data set or its missing shards, and open it; options are those of ``DatasetPlan``."""
        must_have_frames()
        with worker_pool(jobs) as pool:
            write_dataset(DatasetPlan(**options), DatasetFolder(Path(folder)), pool, lambda _: None)
        return cls(folder)

    def table(self, name: str, columns: Sequence[str] | None = None) -> Any:
        """The ``pyarrow.Table`` with this name: ``games``, ``seats`` or ``decisions``."""
        return arrow().concat_tables([self.part(name, shard, columns) for shard in self.plan.shards()])

    def frame(self, name: str, columns: Sequence[str] | None = None) -> Any:
        """The table with this name as a ``pandas.DataFrame``."""
        return self.table(name, columns).to_pandas()

    def part(self, name: str, shard: Shard, columns: Sequence[str] | None = None) -> Any:
        """The part of a table that belongs to one shard."""
        if name not in NAMES:
            raise Refusal(Reason.WRONG_CHOICE, option="table", found=name, values=", ".join(NAMES))
        file = self.folder.file(name, shard)
        try:
            found = parquet().ParquetFile(file).read(columns)
        except OSError as error:
            raise Refusal(Reason.CANNOT_READ, file=str(file), why=error.strerror or str(error)) from None
        except arrow().ArrowException as error:
            raise Refusal(Reason.CANNOT_READ, file=str(file), why=str(error)) from None
        return found.replace_schema_metadata(None)

    def game(self, number: int) -> Game:
        """The finished game with this number; ``game.undo()`` steps back through it."""
        if not 0 <= number < self.plan.games:
            raise Refusal(
                Reason.NUMBER_OUT_OF_RANGE, option="game", found=number, least=0, most=self.plan.games - 1
            )
        shard = self.plan.shards()[number // self.plan.shard]
        steps = self.part(GAMES, shard, ["steps"])["steps"][number - shard.numbers.start].as_py()
        return replayed(self.plan.deal(number), steps)

    def record(self, number: int) -> Record:
        """The record of a game, identical to that of ``royalcrypt simulate``."""
        return self.game(number).record()

    def records(self) -> Iterator[Record]:
        for shard in self.plan.shards():
            games = zip(shard.numbers, self.part(GAMES, shard, ["steps"])["steps"].to_pylist(), strict=True)
            for number, steps in games:
                yield replayed(self.plan.deal(number), steps).record()


def replayed(dealt: Deal, steps: Sequence[int]) -> Game:
    """Replay the steps of a game. Raises UnsoundSteps if they contradict the rules or the deal's chance."""
    seats = tuple(Seat(name, f"bot:{name}") for name in dealt.bots)
    game = Game.new(
        players=len(dealt.bots),
        collectors="".join(SIDES[side] for side in dealt.sides),
        leader=dealt.leader,
        chance=dealt.chance,
        seats=seats,
    )
    game.id = f"{dealt.chance.seed}-{dealt.number}"
    for codes in _moves(dealt, steps):
        game.play(Move.from_codes(codes))
    return game


def _moves(dealt: Deal, steps: Sequence[int]) -> Iterator[list[int]]:
    """The whole actions of the players."""
    state = blank()
    set_up(state, len(dealt.bots), dealt.sides, dealt.leader)
    codes: list[int] = []
    for step in steps:
        seat = state.actor
        if seat == CHANCE:
            is_sound = dealt.chance.outcome(state) == step
        else:
            is_sound = seat != NOBODY and step in legal_codes(state, seat)
            codes.append(step)
        if not is_sound:
            raise UnsoundSteps(dealt.number)
        apply(state, seat, step)
        if codes and not is_under_way(state, seat):
            yield codes
            codes = []
    if state.actor != NOBODY:
        raise UnsoundSteps(dealt.number)


@dataclass(frozen=True, slots=True)
class FileFault:
    """An error in a file, with the number of the game in which it was found."""

    file: str
    kind: str
    game: int = 0


def check_shard(folder: Path, shard: Shard) -> list[FileFault]:
    """Compare the files of a shard with their checksums, and its tables with the replayed games."""
    dataset = Dataset(folder)
    sums = checksums(dataset.folder)
    files = {name: dataset.folder.file(name, shard) for name in NAMES}
    names = {name: file.relative_to(dataset.folder.path).as_posix() for name, file in files.items()}
    missing = [FileFault(names[name], "missing") for name, file in files.items() if not file.exists()]
    if missing:
        return missing
    changed = [
        FileFault(names[name], "changed")
        for name, file in files.items()
        if sums.get(names[name]) != checksum(file)
    ]
    if changed:
        return changed
    tables = {name: dataset.part(name, shard) for name in NAMES}
    try:
        rows = trace_games(dataset.plan, shard.numbers, _steps(tables[GAMES]))
    except UnsoundSteps as unsound:
        return [FileFault(names[GAMES], "unsound", unsound.number)]
    expected = arrow_tables(dataset.plan, rows)
    for found in (tables, expected):
        found[DECISIONS] = found[DECISIONS].drop_columns(PREDICTIONS)
    return [FileFault(names[name], "untrue") for name in NAMES if not tables[name].equals(expected[name])]


def checksums(folder: DatasetFolder) -> dict[str, str]:
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
