"""The game state, declared once for every backend.

The plain backend (ordinary objects with whole numbers and lists) is derived here. The compiled one, a NumPy
record with the same fields, is in ``royalcrypt.search.backend``. Rules code must run on both: loops over
small whole numbers, tables of nested tuples, no strings, no exceptions.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Annotated, Any, ClassVar, Protocol, cast, get_args, get_type_hints

SEATS = 4
SLOTS = 6
SERVANTS = 3
FACES = 6
TYPES = 6
VALUES = 4
KINDS = TYPES * VALUES
CARDS = 48
NOTES = 48
OPTIONS = 132

CHANCE = -1
NOBODY = -2
NONE = -1

GHOST = 1
SPECTATOR = SEATS
EVERYONE = (1 << (SEATS + 1)) - 1

I2 = "i2"


class Ints(Protocol):
    """A fixed-length sequence of small integers."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...


class Player(Protocol):
    """The dice and the collected cards of one seat."""

    ready: Annotated[int, I2]
    exhausted: Annotated[int, I2]
    has_placed: Annotated[int, I2]
    """Whether the player placed dice in this round (R6.2)."""
    has_peeked: Annotated[int, I2]
    """Whether the player used Manuscript B in this round (section 12)."""
    held: Annotated[Ints, I2, (TYPES,)]
    unflipped: Annotated[Ints, I2, (TYPES,)]
    won_idols: Annotated[int, I2]
    """Whether this player was first to two Idols (R8.1B)."""
    coins: Annotated[Ints, I2, (TYPES,)]
    """The sum of card values by card type; computed by ``tally``, 0 before."""
    finest_jewel: Annotated[int, I2]
    score: Annotated[int, I2]
    is_contender: Annotated[int, I2]
    """Whether the player is still tied for first place (R7.3) or, after the end, has won."""
    tie_total: Annotated[int, I2]


class Players(Protocol):
    """All players of a game; indexing returns a reference, not a copy."""

    def __getitem__(self, seat: int, /) -> Player: ...


class Slot(Protocol):
    """One position of the Crypt's row, with the dice placed on it."""

    card: Annotated[int, I2]
    """The index of the card; NONE if the slot is empty, also after Pottery B took the card."""
    is_down: Annotated[int, I2]
    holder: Annotated[int, I2]
    dice: Annotated[int, I2]
    effort: Annotated[int, I2]
    failed: Annotated[int, I2]
    """The number of dice that rolled below their effort in this Collect."""


class Slots(Protocol):
    """The row of the Crypt; indexing returns a reference, not a copy."""

    def __getitem__(self, slot: int, /) -> Slot: ...


class State(Protocol):
    """The complete state of a game. It contains no clock, names, random generator or deck order."""

    seats: Annotated[int, I2]
    is_solo: Annotated[int, I2]
    sides: Annotated[Ints, I2, (TYPES,)]

    phase: Annotated[int, I2]
    actor: Annotated[int, I2]
    """The next to decide: a seat, CHANCE, or NOBODY once the game is over."""
    round_number: Annotated[int, I2]
    leader: Annotated[int, I2]
    turn: Annotated[int, I2]
    """The number of claim turns taken in this round."""
    order: Annotated[int, I2]
    """The position in turn order of the seat that a reward window or Collect has reached."""
    last_slot: Annotated[int, I2]
    """The highest slot claimed in the current turn; NONE before the first placement."""
    decisions: Annotated[int, I2]
    """The number of small decisions that players have made."""

    errand: Annotated[int, I2]
    """The reward that the pending flips pay for."""
    errand_slot: Annotated[int, I2]
    flips_owed: Annotated[int, I2]
    flip_floor: Annotated[int, I2]
    """The least value that the next flip may have, so each pair of flips can be written in one way only."""

    deck: Annotated[int, I2]
    unseen: Annotated[Ints, I2, (KINDS,)]
    """Cards in the deck by kind; in a concealed state, all cards at places unknown to the viewer."""
    top: Annotated[int, I2]
    """The type of the deck's top card (R1.2); NONE if the deck is empty."""

    drawn: Annotated[int, I2]
    card_type: Annotated[Ints, I2, (CARDS,)]
    card_value: Annotated[Ints, I2, (CARDS,)]
    """The value of each card in coins; 0 if a concealed state hides it."""
    card_place: Annotated[Ints, I2, (CARDS,)]
    """The place of each card: a seat, IN_CRYPT or DISCARDED."""
    card_flipped: Annotated[Ints, I2, (CARDS,)]
    card_knowers: Annotated[Ints, I2, (CARDS,)]
    """The viewers that know each card's value: one bit per seat and one for spectators."""
    taken: Annotated[Ints, I2, (CARDS,)]
    """The cards in the order in which they came into collections."""
    takings: Annotated[int, I2]

    slots: Annotated[Slots, Slot, (SLOTS,)]
    players: Annotated[Players, Player, (SEATS,)]
    is_race_over: Annotated[int, I2]
    """Whether a player was first to own two Idols (R8.1B)."""

    roll_slot: Annotated[int, I2]
    rolls: Annotated[int, I2]
    """The number of dice rolled so far for the current slot, Ghost's turn or contender."""
    tie_rounds: Annotated[int, I2]
    """The number of tie-break rounds in which all contenders have rolled (R7.3)."""
    chance_seat: Annotated[int, I2]
    chance_index: Annotated[int, I2]
    """The seat and index part of the next chance outcome's address (RECORD.md, Chance)."""
    ghost_faces: Annotated[Ints, I2, (FACES + 1,)]
    """The number of the Ghost's dice that show each face."""
    ghost_pushed: Annotated[int, I2]
    """The number of the Ghost's dice that were pushed off in this round (R10.5)."""

    noted: Annotated[int, I2]
    notes: Annotated[Ints, I2, (4 * NOTES,)]
    """Notes on the effects of the last step; ``rules.notes`` describes the format."""


class Options(Protocol):
    """The caller's buffer for the options: legal action codes, or chance outcomes with their weights."""

    codes: Annotated[Ints, I2, (OPTIONS,)]
    weights: Annotated[Ints, I2, (OPTIONS,)]


@cache
def fields_of(declaration: type) -> tuple[tuple[str, Any, int], ...]:
    """The fields of a declaration as (name, width or nested declaration, length); length 0 for a scalar."""
    found: list[tuple[str, Any, int]] = []
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        _, kind, *shape = get_args(hint)
        found.append((name, kind, shape[0][0] if shape else 0))
    return tuple(found)


class PlainRecord:
    """A plain Python object with the fields of a declaration, all initially 0."""

    __slots__: tuple[str, ...] = ()
    declaration: ClassVar[type]

    def __init__(self) -> None:
        for name, kind, length in fields_of(self.declaration):
            if isinstance(kind, str):
                setattr(self, name, [0] * length if length else 0)
            else:
                setattr(self, name, [_plain_class(kind)() for _ in range(length)])


@cache
def _plain_class(declaration: type) -> type[PlainRecord]:
    names = tuple(name for name, _, _ in fields_of(declaration))
    members = {"__slots__": names, "declaration": declaration}
    return type(f"Plain{declaration.__name__}", (PlainRecord,), members)


def _copier(declaration: type, shared: tuple[str, ...] = ()) -> Callable[[Any], Any]:
    """Generate a function that copies all fields without a loop, three times as fast; each view needs a copy.

    The copy references the rows and records in ``shared`` fields, which must not be changed afterwards.
    """
    names: dict[str, Any] = {"new": object.__new__, "plain_class": _plain_class(declaration)}
    lines = ["def copy(record):", " other = new(plain_class)"]
    for name, kind, length in fields_of(declaration):
        value = f"record.{name}"
        if name not in shared and not isinstance(kind, str):
            names[f"copy_{name}"] = _copier(kind, shared)
            value = f"[copy_{name}(inner) for inner in record.{name}]"
        elif name not in shared and length:
            value += "[:]"
        lines.append(f" other.{name} = {value}")
    exec("\n".join([*lines, " return other"]), names)  # noqa: S102 (our own field names, as in dataclasses)
    return names["copy"]


PlainState = _plain_class(State)
_STATE_FIELDS, _PLAYER_FIELDS = (PlainState.__slots__, _plain_class(Player).__slots__)
_BLANK_STATE, _NO_OPTIONS = PlainState(), _plain_class(Options)()
_copy_of_options = _copier(Options)

copy_of: Callable[[State], State] = _copier(State)
"""An independent copy of a plain state."""
copy_sharing_rows: Callable[[State], State] = _copier(
    State, tuple({*_STATE_FIELDS, *_PLAYER_FIELDS} - {"players"})
)
"""A copy with its own numbers and players; it shares rows and slots with the original.

The shared rows must not be changed: to change a row, replace it.
"""


def blank() -> State:
    """An empty plain state for ``set_up``; copied from a template, which is faster than building it."""
    return copy_of(cast("State", _BLANK_STATE))


def no_options() -> Options:
    """An empty plain options buffer."""
    return _copy_of_options(_NO_OPTIONS)


def _sharer(declaration: type) -> Callable[[Any, Any], None]:
    """Generate a function that compares all rows without a loop; each move needs it."""
    lines = ["def share(state, earlier):"]
    for name, kind, length in fields_of(declaration):
        if isinstance(kind, str) and length:
            lines.append(f" if state.{name} == earlier.{name}: state.{name} = earlier.{name}")
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)  # noqa: S102 (our own field names, as in dataclasses)
    return names["share"]


share_rows: Callable[[State, State], None] = _sharer(State)
"""Replace rows that equal the earlier state's rows by references: saves memory and comparison time.

Neither state may be changed afterwards. Players' rows are too short to benefit.
"""


def dump(state: Any, declaration: type = State) -> dict[str, Any]:
    """All fields as plain numbers and lists; equal states of either backend give equal results."""
    found: dict[str, Any] = {}
    for name, kind, length in fields_of(declaration):
        value = getattr(state, name)
        if not isinstance(kind, str):
            found[name] = [dump(value[index], kind) for index in range(length)]
        elif length:
            found[name] = [int(value[index]) for index in range(length)]
        else:
            found[name] = int(value)
    return found


def numbers_of(record: Any, declaration: type = State) -> list[int]:
    """All numbers of a plain state in one flat list, in the order of the declaration."""
    found: list[int] = []
    for name, kind, length in fields_of(declaration):
        value = getattr(record, name)
        if not isinstance(kind, str):
            for inner in value:
                found += numbers_of(inner, kind)
        elif length:
            found += value
        else:
            found.append(value)
    return found


def state_of(numbers: Iterable[int]) -> State:
    """The plain state with these numbers; the inverse of ``numbers_of``."""
    state = blank()
    _fill(state, State, iter(numbers))
    return state


def _fill(record: Any, declaration: type, numbers: Iterator[int]) -> None:
    for name, kind, length in fields_of(declaration):
        if not isinstance(kind, str):
            for inner in getattr(record, name):
                _fill(inner, kind, numbers)
        else:
            setattr(record, name, list(islice(numbers, length)) if length else next(numbers))
