"""One simulated game: who sits where, what chance it meets, and how it came out."""

from dataclasses import dataclass, field

from royalcrypt.bots import Bot, Budget, bot_named
from royalcrypt.lab.carriers import Carrier
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.reasons import Reason
from royalcrypt.notation.records import Record, Seat
from royalcrypt.play.chance import SeededChance
from royalcrypt.play.narrator import Narrator
from royalcrypt.play.results import result_of
from royalcrypt.play.rulings import IllegalAction, carry_out
from royalcrypt.play.views import view_of
from royalcrypt.rules.fast_chance import choose_sides, game_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, TYPES, State, copy_of
from royalcrypt.search.random_games import DECISIONS, ROUNDS, STEPS_AT_MOST, WINNERS, bots_seed

RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Setting:
    """What all games of a simulation have in common."""

    players: int
    bots: tuple[str, ...]
    """By seat."""
    seed: int = 0
    collectors: str | None = None
    """None: each game draws its own sides."""
    leader: int | None = 0
    """None: the seats take turns to lead the first round."""
    is_swapped: bool = False
    """Whether every deal is played once for each rotation of the bots over the seats."""
    simulations: int = 1000


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one game came out."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    decisions: int
    line: str | None = None
    """Its record, if it was asked for."""


@dataclass(frozen=True, slots=True)
class Deal:
    """All that is settled about a game before it begins."""

    number: int
    bots: tuple[str, ...]
    sides: list[int]
    leader: int
    chance: SeededChance
    key: tuple[int, int]
    bots_seed: int
    own_key: tuple[int, int] = field(init=False)
    """Of random players."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "own_key", game_key(self.bots_seed, 0))


def deal(setting: Setting, number: int) -> Deal:
    """The game of this number; the same cards and dice come to all rotations of a swapped deal."""
    shift = number % setting.players if setting.is_swapped else 0
    chance = SeededChance(setting.seed, number // setting.players if setting.is_swapped else number)
    key = game_key(chance.seed, chance.game)
    sides = [0] * TYPES if setting.collectors is None else [SIDES.index(side) for side in setting.collectors]
    if setting.collectors is None:
        choose_sides(sides, *key)
    return Deal(
        number=number,
        bots=setting.bots[-shift:] + setting.bots[:-shift],
        sides=sides,
        leader=chance.game % setting.players if setting.leader is None else setting.leader,
        chance=chance,
        key=key,
        bots_seed=bots_seed(*key),
    )


def play_game(setting: Setting, number: int, carrier: Carrier, *, is_recorded: bool) -> Outcome:
    dealt = deal(setting, number)
    state = carrier.blank()
    carrier.set_up(state, setting.players, carrier.row(dealt.sides), dealt.leader)
    line = None
    if is_recorded or set(dealt.bots) != {RANDOM}:
        line = _play_step_by_step(setting, dealt, carrier, state)
    elif not _step(dealt, carrier, state, steps=STEPS_AT_MOST):
        raise RuntimeError(f"game {number} of seed {setting.seed} found no end: a defect in the rules")
    found = carrier.findings
    return Outcome(
        bots=dealt.bots,
        scores=tuple(int(found[seat]) for seat in range(setting.players)),
        winners=tuple(seat for seat in range(setting.players) if int(found[WINNERS]) >> seat & 1),
        rounds=int(found[ROUNDS]),
        decisions=int(found[DECISIONS]),
        line=line if is_recorded else None,
    )


def _step(dealt: Deal, carrier: Carrier, state: State, *, action: int = NONE, steps: int = 1) -> bool:
    return carrier.carry_on(
        state, carrier.options, carrier.findings, action, *dealt.key, *dealt.own_key, steps
    )


def _play_step_by_step(setting: Setting, dealt: Deal, carrier: Carrier, state: State) -> str:
    """With the bots at the table and a narrator listening; return the record."""
    narrator = Narrator()
    budget = Budget(simulations=setting.simulations, seed=dealt.bots_seed)
    bots = [bot_named(name) for name in dealt.bots]
    known = carrier.plain(state)
    while known.actor != NOBODY:
        actions = [NONE] if known.actor == CHANCE else _chosen(known, bots[known.actor], budget)
        for action in actions:
            _step(dealt, carrier, state, action=action)
            known = carrier.plain(state)
            narrator.listen(known)
    return Record(
        players=setting.players,
        collectors="".join(SIDES[side] for side in dealt.sides),
        leader=dealt.leader,
        seats=tuple(Seat(name, f"bot:{name}") for name in dealt.bots),
        events=tuple(narrator.told),
        result=result_of(known),
        id=f"{setting.seed}-{dealt.number}",
        extra=dealt.chance.extra(is_over=True),
    ).to_json()


def _chosen(state: State, bot: Bot, budget: Budget) -> list[int]:
    """The small decisions of the bot, who sees nothing but its view; an illegal move is refused."""
    seat = state.actor
    move = bot.choose(view_of(state, seat), budget)
    if not move.actions:
        raise IllegalAction(Reason.NOT_A_MOVE, text=str(move))
    trial = copy_of(state)
    return [code for action in move.actions for code in carry_out(trial, seat, action)]
