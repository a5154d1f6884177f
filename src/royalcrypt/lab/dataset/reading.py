"""A data set read back: as tables, as data frames, and game by game."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from royalcrypt.lab.crew import crew_of
from royalcrypt.lab.dataset.plans import Plan, Shard
from royalcrypt.lab.dataset.playing import UnsoundSteps
from royalcrypt.lab.dataset.schema import GAMES, NAMES
from royalcrypt.lab.dataset.writing import Folder, write
from royalcrypt.lab.frames import arrow, must_have_frames, parquet
from royalcrypt.lab.tables import Deal
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.game import Game
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.layout import CHANCE, NOBODY, blank
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, is_under_way


class Dataset:
    """What ``royalcrypt dataset`` wrote into a folder.

    ``table`` and ``frame`` read whole tables, or some columns of them; ``game`` and ``record`` play one game
    again, move by move, checked by the rules.
    """

    def __init__(self, folder: str | Path) -> None:
        must_have_frames()
        self.folder = Folder(Path(folder))
        self.plan = self.folder.plan()

    @classmethod
    def make(cls, folder: str | Path, *, jobs: int = 1, **options: Any) -> "Dataset":
        """Write one, or the rest of one, and open it; the options are those of ``Plan``."""
        must_have_frames()
        with crew_of(jobs) as crew:
            write(Plan(**options), Folder(Path(folder)), crew, lambda _: None)
        return cls(folder)

    def table(self, name: str, columns: Sequence[str] | None = None) -> Any:
        """A ``pyarrow.Table`` of ``games``, ``seats`` or ``decisions``."""
        return arrow().concat_tables([self.part(name, shard, columns) for shard in self.plan.shards()])

    def frame(self, name: str, columns: Sequence[str] | None = None) -> Any:
        """The same as a ``pandas.DataFrame``."""
        return self.table(name, columns).to_pandas()

    def part(self, name: str, shard: Shard, columns: Sequence[str] | None = None) -> Any:
        """The table of one shard."""
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
        """The whole game, at its end: ``game.undo()`` goes back through it."""
        shard = self._shard(number)
        steps = self.part(GAMES, shard, ["steps"])["steps"][number - shard.numbers.start].as_py()
        return replayed(self.plan.deal(number), steps)

    def record(self, number: int) -> Record:
        """The game's record, just as ``royalcrypt simulate`` would write it."""
        return self.game(number).record()

    def records(self) -> Iterator[Record]:
        for shard in self.plan.shards():
            games = zip(shard.numbers, self.part(GAMES, shard, ["steps"])["steps"].to_pylist(), strict=True)
            for number, steps in games:
                yield replayed(self.plan.deal(number), steps).record()

    def _shard(self, number: int) -> Shard:
        if not 0 <= number < self.plan.games:
            raise Refusal(
                Reason.NUMBER_OUT_OF_RANGE, option="game", found=number, least=0, most=self.plan.games - 1
            )
        return self.plan.shards()[number // self.plan.shard]


def replayed(dealt: Deal, steps: Sequence[int]) -> Game:
    """The game that these steps tell; UnsoundSteps if the deal's rules and chance do not allow them."""
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
    """The players' whole actions."""
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
