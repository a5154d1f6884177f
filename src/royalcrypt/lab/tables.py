"""Simulation of one game: its setting, its deal, its bots and its outcome."""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from royalcrypt.bots import Bot, Budget, bot_named
from royalcrypt.lab.backends import PLAIN, Backend
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.reasons import Reason
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.chance import SeededChance
from royalcrypt.play.event_builder import EventBuilder, scores, winners
from royalcrypt.play.results import result_of
from royalcrypt.play.rulings import IllegalAction, carry_out
from royalcrypt.play.views import view_of
from royalcrypt.rules.chance import choose_sides
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, TYPES, State, copy_of, no_options
from royalcrypt.rules.reveal import ROUNDS
from royalcrypt.search.simulation import STUCK, bots_seed, play_out

if TYPE_CHECKING:
    from royalcrypt.search.playouts import RandomGames

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Setting:
    """The parameters that all games of a simulation share."""

    players: int
    bots: tuple[str, ...]
    """The bots by seat."""
    seed: int = 0
    collectors: str | None = None
    """The Collectors' sides; with None, each game has random ones."""
    leader: int | None = 0
    """The first Leader's seat; with None, the seats take turns."""
    is_swapped: bool = False
    """Whether every deal is played once for each rotation of the bots."""
    simulations: int = 1000
    seconds: float = inf
    """The time limit per move. Results of a bot that exceeds it may not be reproducible."""

    @property
    def sides(self) -> list[int] | None:
        return None if self.collectors is None else [SIDES.index(side) for side in self.collectors]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one game."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    decisions: int
    line: str | None = None
    """The record as one line of JSON; None unless requested."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The values that are fixed before a game begins."""

    number: int
    bots: tuple[str, ...]
    sides: list[int]
    leader: int
    chance: SeededChance
    bots_seed: int


def deal(setting: Setting, number: int) -> Deal:
    """The deal with this number; all rotations of a swapped deal have the same cards and dice."""
    shift = number % setting.players if setting.is_swapped else 0
    chance = SeededChance(setting.seed, number // setting.players if setting.is_swapped else number)
    sides = setting.sides
    if sides is None:
        sides = [0] * TYPES
        choose_sides(sides, *chance.key)
    return Deal(
        number=number,
        bots=setting.bots[-shift:] + setting.bots[:-shift],
        sides=sides,
        leader=chance.game % setting.players if setting.leader is None else setting.leader,
        chance=chance,
        bots_seed=bots_seed(*chance.key),
    )


def is_all_random(setting: Setting) -> bool:
    return set(setting.bots) == {RANDOM}


def play_game(setting: Setting, number: int, backend: Backend, *, is_recorded: bool) -> Outcome:
    dealt = deal(setting, number)
    state = backend.blank()
    backend.set_up(state, setting.players, backend.row(dealt.sides), dealt.leader)
    builder = EventBuilder()
    if not is_all_random(setting) or backend.name != PLAIN or is_recorded:
        state = _play_step_by_step(setting, dealt, backend, state, builder)
    elif play_out(state, no_options(), *dealt.chance.key) == STUCK:
        raise RuntimeError(f"{dealt.chance} found no end: a defect in the rules")
    return Outcome(
        bots=dealt.bots,
        scores=scores(state),
        winners=winners(state),
        rounds=state.round_number,
        decisions=state.decisions,
        line=_record(setting, dealt, state, builder) if is_recorded else None,
    )


def play_batch(batch: tuple[Setting, range]) -> "RandomGames":
    """Play random games in compiled code; a rotation of random players changes only the game number."""
    from royalcrypt.search.playouts import random_games

    setting, numbers = batch
    deals = _deals(setting, numbers)
    return random_games(
        setting.players, len(deals), setting.seed, setting.sides, first=deals.start, leader=setting.leader
    )


def _deals(setting: Setting, numbers: range) -> range:
    repeats = setting.players if setting.is_swapped else 1
    return range(numbers[0] // repeats, numbers[-1] // repeats + 1)


def batch_outcomes(setting: Setting, numbers: range, found: "RandomGames") -> list[Outcome]:
    scores, winners, decisions = found.scores.tolist(), found.winners.tolist(), found.decisions.tolist()
    outcomes = [
        Outcome(
            bots=setting.bots,
            scores=tuple(scores[game]),
            winners=tuple(seat for seat, has_won in enumerate(winners[game]) if has_won),
            rounds=ROUNDS[setting.players],
            decisions=decisions[game],
        )
        for game in range(len(scores))
    ]
    if not setting.is_swapped:
        return outcomes
    first = _deals(setting, numbers).start
    return [outcomes[number // setting.players - first] for number in numbers]


def _play_step_by_step(
    setting: Setting, dealt: Deal, backend: Backend, state: State, builder: EventBuilder
) -> State:
    """Let the bots play while the builder records events; return the final state as a plain object."""
    budget = Budget(setting.simulations, setting.seconds, dealt.bots_seed)
    bots = [bot_named(name) for name in dealt.bots]
    known = backend.plain(state)
    while known.actor != NOBODY:
        actions = [NONE] if known.actor == CHANCE else chosen(known, bots[known.actor], budget)
        for action in actions:
            backend.advance(state, action, *dealt.chance.key)
            known = backend.plain(state)
            builder.read(known)
    return known


def _record(setting: Setting, dealt: Deal, ended: State, builder: EventBuilder) -> str:
    return Record(
        players=setting.players,
        collectors="".join(SIDES[side] for side in dealt.sides),
        leader=dealt.leader,
        seats=tuple(Seat(name, f"bot:{name}") for name in dealt.bots),
        events=tuple(builder.events),
        result=result_of(ended),
        id=f"{setting.seed}-{dealt.number}",
        extra=dealt.chance.published(is_over=True),
    ).to_json()


def chosen(state: State, bot: Bot, budget: Budget) -> list[int]:
    """The small decisions of the bot, based on its view alone; an illegal move is refused."""
    seat = state.actor
    move = bot.choose(view_of(copy_of(state), seat), budget)
    if not move.actions:
        raise IllegalAction(Reason.NOT_A_MOVE, text=str(move))
    trial = copy_of(state)
    return [code for action in move.actions for code in carry_out(trial, seat, action)]
