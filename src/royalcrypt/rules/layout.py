"""The memory of a game, declared once: for the reader, the type checker and every backend.

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
    """A fixed row of small whole numbers."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...


class Player(Protocol):
    """One seat's servants and columns of cards."""

    ready: Annotated[int, I2]
    exhausted: Annotated[int, I2]
    has_placed: Annotated[int, I2]
    """Whether dice were placed in this round (R6.2)."""
    has_peeked: Annotated[int, I2]
    """Whether Manuscript B was used in this round (section 12)."""
    held: Annotated[Ints, I2, (TYPES,)]
    unflipped: Annotated[Ints, I2, (TYPES,)]
    won_idols: Annotated[int, I2]
    """Whether this player was first to two Idols (R8.1B)."""
    coins: Annotated[Ints, I2, (TYPES,)]
    """Coins by type; filled by ``tally``, zero before."""
    finest_jewel: Annotated[int, I2]
    score: Annotated[int, I2]
    is_contender: Annotated[int, I2]
    """Still tied for the first place (R7.3), or a winner once the game is over."""
    tie_total: Annotated[int, I2]


class Players(Protocol):
    """A row of players; indexing gives the player itself, so writing through it is kept."""

    def __getitem__(self, seat: int, /) -> Player: ...


class Slot(Protocol):
    """One place of the Crypt's row, with the servants on it."""

    card: Annotated[int, I2]
    """Index of the card; NONE where there is none, also after Pottery B took it."""
    is_down: Annotated[int, I2]
    holder: Annotated[int, I2]
    dice: Annotated[int, I2]
    effort: Annotated[int, I2]
    failed: Annotated[int, I2]
    """How many of its dice rolled below their effort in this Collect."""


class Slots(Protocol):
    """The row; indexing gives the slot itself."""

    def __getitem__(self, slot: int, /) -> Slot: ...


class State(Protocol):
    """Everything the rules know. No clock, no names, no generator, no deck order."""

    seats: Annotated[int, I2]
    is_solo: Annotated[int, I2]
    sides: Annotated[Ints, I2, (TYPES,)]

    phase: Annotated[int, I2]
    actor: Annotated[int, I2]
    """Who decides: a seat, CHANCE, or NOBODY once the game is over."""
    round_number: Annotated[int, I2]
    leader: Annotated[int, I2]
    turn: Annotated[int, I2]
    """Claim turns taken in this round."""
    order: Annotated[int, I2]
    """Position in turn order of the seat a window or a Collect has come to."""
    last_slot: Annotated[int, I2]
    """The highest slot claimed in the turn under way; NONE before the first placement."""
    decisions: Annotated[int, I2]
    """Small decisions made by players so far."""

    errand: Annotated[int, I2]
    """What the flips now owed will pay for."""
    errand_slot: Annotated[int, I2]
    flips_owed: Annotated[int, I2]
    flip_floor: Annotated[int, I2]
    """The least value the next flip may have, so that a pair of flips has one spelling."""

    deck: Annotated[int, I2]
    unseen: Annotated[Ints, I2, (KINDS,)]
    """Cards in the deck by kind; in a concealed state, all cards whose place the viewer does not know."""
    top: Annotated[int, I2]
    """Type of the deck's top card (R1.2), or NONE."""

    drawn: Annotated[int, I2]
    card_type: Annotated[Ints, I2, (CARDS,)]
    card_value: Annotated[Ints, I2, (CARDS,)]
    """Coins; 0 where a concealed state does not say."""
    card_place: Annotated[Ints, I2, (CARDS,)]
    """A seat, IN_CRYPT or DISCARDED."""
    card_flipped: Annotated[Ints, I2, (CARDS,)]
    card_knowers: Annotated[Ints, I2, (CARDS,)]
    """One bit a seat, and one for the spectators: those who know its value."""
    taken: Annotated[Ints, I2, (CARDS,)]
    """Cards in the order in which they came into collections."""
    takings: Annotated[int, I2]

    slots: Annotated[Slots, Slot, (SLOTS,)]
    players: Annotated[Players, Player, (SEATS,)]
    is_race_over: Annotated[int, I2]
    """Whether somebody was first to two Idols (R8.1B)."""

    roll_slot: Annotated[int, I2]
    rolls: Annotated[int, I2]
    """Dice rolled so far for the slot, the Ghost's turn, or the contender at hand."""
    tie_rounds: Annotated[int, I2]
    """How often all contenders have rolled (R7.3)."""
    chance_seat: Annotated[int, I2]
    chance_index: Annotated[int, I2]
    """Seat and index of the next outcome's address (RECORD.md, Chance)."""
    ghost_faces: Annotated[Ints, I2, (FACES + 1,)]
    """How many of the Ghost's dice show each face."""
    ghost_pushed: Annotated[int, I2]
    """Dice of the Ghost pushed off in this round (R10.5)."""

    noted: Annotated[int, I2]
    notes: Annotated[Ints, I2, (4 * NOTES,)]
    """What the last step brought about; see ``rules.notes``."""


class Options(Protocol):
    """The caller's buffer for what may be done: action codes, or chance's outcomes with their weights."""

    codes: Annotated[Ints, I2, (OPTIONS,)]
    weights: Annotated[Ints, I2, (OPTIONS,)]


class Bag:
    """An ordinary object with the fields of a declaration."""

    __slots__: tuple[str, ...] = ()
    _numbers: tuple[str, ...] = ()
    _rows: tuple[tuple[str, int], ...] = ()
    _groups: tuple[tuple[str, "type[Bag]", int], ...] = ()
    copy: ClassVar[Callable[[Any], "Bag"]]
    """An independent copy; see ``_copier``."""
    copy_sharing_rows: ClassVar[Callable[[Any], "Bag"]]
    copy_sharing_all: ClassVar[Callable[[Any], "Bag"]]
    share_rows: ClassVar[Callable[[Any, Any], None]]

    def __init__(self) -> None:
        for name in self._numbers:
            setattr(self, name, 0)
        for name, length in self._rows:
            setattr(self, name, [0] * length)
        for name, kind, length in self._groups:
            setattr(self, name, [kind() for _ in range(length)])


@cache
def fields_of(declaration: type) -> tuple[tuple[str, Any, int], ...]:
    """Each field as (name, width or nested declaration, length); length 0 for a single number."""
    found: list[tuple[str, Any, int]] = []
    for name, hint in get_type_hints(declaration, include_extras=True).items():
        _, kind, *shape = get_args(hint)
        found.append((name, kind, shape[0][0] if shape else 0))
    return tuple(found)


def _copier(declaration: type, method: str, shared: frozenset[str] = frozenset()) -> Callable[[Bag], Bag]:
    """Copies field after field without a loop: in a third of the time, and every view takes a copy."""
    lines = ["def copy(self):", " twin = new(type(self))"]
    for name, kind, length in fields_of(declaration):
        value = f"self.{name}"
        if name in shared:
            pass
        elif not isinstance(kind, str):
            value = f"[inner.{method}() for inner in self.{name}]"
        elif length:
            value += "[:]"
        lines.append(f" twin.{name} = {value}")
    names: dict[str, Any] = {"new": object.__new__}
    exec("\n".join([*lines, " return twin"]), names)  # noqa: S102 (our own field names, as in dataclasses)
    return names["copy"]


def _names(declaration: type) -> frozenset[str]:
    return frozenset(name for name, _, _ in fields_of(declaration))


def _row_sharer(declaration: type) -> Callable[[Bag, Bag], None]:
    lines = ["def share_rows(self, other):"]
    for name, kind, length in fields_of(declaration):
        if isinstance(kind, str) and length:
            lines.append(f" if self.{name} == other.{name}: self.{name} = other.{name}")
    names: dict[str, Any] = {}
    exec("\n".join([*lines, " return None"]), names)  # noqa: S102 (our own field names, as in dataclasses)
    return names["share_rows"]


def _bag_class(declaration: type) -> type[Bag]:
    fields = fields_of(declaration)
    return type(
        f"Plain{declaration.__name__}",
        (Bag,),
        {
            "__slots__": tuple(name for name, _, _ in fields),
            "copy": _copier(declaration, "copy"),
            "share_rows": _row_sharer(declaration),
            "copy_sharing_rows": _copier(declaration, "copy_sharing_rows", _names(declaration) - {"players"}),
            "copy_sharing_all": _copier(declaration, "copy_sharing_all", _names(declaration)),
            "_numbers": tuple(name for name, _, length in fields if not length),
            "_rows": tuple(
                (name, length) for name, kind, length in fields if length and isinstance(kind, str)
            ),
            "_groups": tuple(
                (name, _bag_class(kind), length) for name, kind, length in fields if not isinstance(kind, str)
            ),
        },
    )


PlainState = _bag_class(State)
PlainOptions = _bag_class(Options)
# To copy one takes a third of the time it takes to make one.
BLANK, NO_OPTIONS = PlainState(), PlainOptions()


def blank() -> State:
    """A plain state with nothing in it; ``set_up`` makes it a game."""
    return cast("State", BLANK.copy())


def no_options() -> Options:
    """An empty plain buffer."""
    return cast("Options", NO_OPTIONS.copy())


def copy_of(state: State) -> State:
    """An independent copy of a plain state."""
    return cast("State", cast("Bag", state).copy())


def copy_sharing_rows(state: State) -> State:
    """A copy with numbers and players of its own, while its rows and slots are still the state's.

    Nobody may change those any more; a row that shall be changed is first replaced.
    """
    return cast("State", cast("Bag", state).copy_sharing_rows())


def copy_sharing_all(state: State) -> State:
    """A copy with numbers of its own, while its rows, slots and players are still the state's."""
    return cast("State", cast("Bag", state).copy_sharing_all())


def share_rows(state: State, earlier: State) -> None:
    """Put in the earlier state's rows where they are equal: less memory, and found equal at a glance.

    Nobody may change either state any more. Players' rows are too short to be worth it.
    """
    cast("Bag", state).share_rows(earlier)


def dump(state: Any, declaration: type = State) -> dict[str, Any]:
    """Every field as ordinary numbers and lists: equal for equal states of either backend."""
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


def numbers_of(state: State) -> list[int]:
    """A plain state as one row of numbers, in the order of the declaration."""
    found: list[int] = []
    _gather(state, State, found)
    return found


def _gather(bag: Any, declaration: type, found: list[int]) -> None:
    for name, kind, length in fields_of(declaration):
        value = getattr(bag, name)
        if not isinstance(kind, str):
            for inner in value:
                _gather(inner, kind, found)
        elif length:
            found += value
        else:
            found.append(value)


def state_of(numbers: Iterable[int]) -> State:
    """The plain state that ``numbers_of`` wrote."""
    state = blank()
    _spread(iter(numbers), State, state)
    return state


def _spread(numbers: Iterator[int], declaration: type, bag: Any) -> None:
    for name, kind, length in fields_of(declaration):
        if not isinstance(kind, str):
            for inner in getattr(bag, name):
                _spread(numbers, kind, inner)
        else:
            setattr(bag, name, list(islice(numbers, length)) if length else next(numbers))
