"""The layout of observations, declared once, and the compiled code that writes them.

An observation is one row of small whole numbers: the table, then a block for each place of the row, then a
block for each seat, from the observer's own to the left. A piece is a named part of that row.

``rules.views`` alone decides which values are written. The full state and a concealed state give the same
numbers, because hidden values are never read: the numbers of unseen cards are derived from the visible ones.
"""

from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Protocol

from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.cards import COPIES, IN_CRYPT, kind_of
from royalcrypt.rules.layout import FACES, KINDS, NONE, SEATS, SERVANTS, SLOTS, TYPES, VALUES, Options, State
from royalcrypt.rules.phases import CLAIM, IDOL, NO_ERRAND, POTTERY, REMAINS, REROLLING
from royalcrypt.rules.reveal import ROUNDS, ROW, row_length
from royalcrypt.rules.turns import legal_actions
from royalcrypt.rules.views import knows

PHASES_OF_PLAYERS = (POTTERY, CLAIM, IDOL, REMAINS)
PHASES, ERRANDS = len(PHASES_OF_PLAYERS), REROLLING - NO_ERRAND
MOST_COPIES = 2
OF_A_TYPE = MOST_COPIES * VALUES


class SmallInts(Protocol):
    """A fixed-length sequence of small integers: a list, or an array of 8-bit integers."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Field:
    """Consecutive numbers with a common meaning, from 0 to ``most``."""

    name: str
    width: int
    most: int
    meaning: str


Block = tuple[Field, ...]

TABLE = (
    Field("phase", PHASES, 1, "what is decided: Pottery B, a claim turn, Idol A, or the last Remains A"),
    Field("errand", ERRANDS, 1, "what the flips now owed pay for: peek, mend, take, re-roll"),
    Field("errand_slot", 1, SLOTS, "the place of the row that a take or a re-roll is about, from 1; else 0"),
    Field("flips_owed", 1, 2, "flips still to be made"),
    Field("round", 1, max(ROUNDS), "the round, from 1"),
    Field("turn", 1, SEATS, "claim turns taken in this round"),
    Field("last_slot", 1, SLOTS, "the last place claimed in the turn under way, from 1; else 0"),
    Field("sides", TYPES, 1, "each Collector's side: 0 for A, 1 for B"),
    Field("top", TYPES, 1, "the type of the deck's top card"),
    Field("deck", 1, MOST_COPIES * KINDS, "cards left in the deck"),
    Field("unseen", KINDS, MOST_COPIES, "cards by kind (I1, I2 … T4) whose place the observer does not know"),
    Field("race_over", 1, 1, "whether somebody was first to two Idols (Idol B)"),
    Field("ghost_pushed", 1, SERVANTS, "dice of the Ghost that were pushed off in this round"),
)  # fmt: skip
SLOT = (
    Field("slot_type", TYPES, 1, "the card's type; all 0 where no card lies"),
    Field("slot_value", 1, VALUES, "its coins, 0 where the observer does not know them"),
    Field("slot_down", 1, 1, "whether it was dealt face-down"),
    Field("slot_holder", SEATS, 1, "who holds it, seats counted from the observer"),
    Field("slot_dice", 1, SERVANTS, "dice on it"),
    Field("slot_effort", 1, FACES, "their effort"),
    Field("slot_failed", 1, SERVANTS, "how many of them failed in this Collect"),
)
SEAT = (
    Field("seat_acts", 1, 1, "whether this seat decides now"),
    Field("seat_leads", 1, 1, "whether it leads this round"),
    Field("seat_ready", 1, SERVANTS, "ready dice"),
    Field("seat_exhausted", 1, SERVANTS, "exhausted dice"),
    Field("seat_placed", 1, 1, "whether it placed dice in this round"),
    Field("seat_peeked", 1, 1, "whether it looked at the face-down cards in this round"),
    Field("seat_won_idols", 1, 1, "whether it was first to two Idols"),
    Field("seat_held", TYPES, OF_A_TYPE, "its cards by type"),
    Field("seat_unflipped", TYPES, OF_A_TYPE, "those of them that are not flipped"),
    Field("seat_cards", KINDS, MOST_COPIES, "its cards by kind, as far as the observer knows their values"),
)


def starts_of(block: Block) -> tuple[int, ...]:
    """The offset of each piece in its block, followed by the width of the block."""
    return tuple(accumulate((piece.width for piece in block), initial=0))


(
    PHASE, ERRAND, ERRAND_SLOT, FLIPS_OWED, ROUND, TURN, LAST_SLOT, SIDES, TOP, DECK, UNSEEN, RACE_OVER,
    GHOST_PUSHED, TABLE_WIDTH,
) = starts_of(TABLE)  # fmt: skip
(
    SLOT_TYPE, SLOT_VALUE, SLOT_DOWN, SLOT_HOLDER, SLOT_DICE, SLOT_EFFORT, SLOT_FAILED, SLOT_WIDTH,
) = starts_of(SLOT)  # fmt: skip
(
    SEAT_ACTS, SEAT_LEADS, SEAT_READY, SEAT_EXHAUSTED, SEAT_PLACED, SEAT_PEEKED, SEAT_WON_IDOLS, SEAT_HELD,
    SEAT_UNFLIPPED, SEAT_CARDS, SEAT_WIDTH,
) = starts_of(SEAT)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ObservationLayout:
    """The offset of each piece for a table with this many seats, including the Ghost's."""

    seats: int

    @property
    def slots(self) -> int:
        return ROW[self.seats]

    @property
    def size(self) -> int:
        return TABLE_WIDTH + self.slots * SLOT_WIDTH + self.seats * SEAT_WIDTH

    @property
    def most(self) -> list[int]:
        """The highest possible value of each number; the lowest is always 0."""
        blocks = TABLE + self.slots * SLOT + self.seats * SEAT
        return [piece.most for piece in blocks for _ in range(piece.width)]

    def shape_of(self, piece: Field) -> tuple[int, ...]:
        width = () if piece.width == 1 else (piece.width,)
        if piece in SLOT:
            return (self.slots, *width)
        return (self.seats, *width) if piece in SEAT else width

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The pieces of one observation or of a stack of them, by name: NumPy views, not copies."""
        slots_end = TABLE_WIDTH + self.slots * SLOT_WIDTH
        table = observation[..., :TABLE_WIDTH]
        slots = observation[..., TABLE_WIDTH:slots_end]
        seats = observation[..., slots_end:]
        stack = observation.shape[:-1]
        return {
            **_parts(TABLE, table),
            **_parts(SLOT, slots.reshape(*stack, self.slots, SLOT_WIDTH)),
            **_parts(SEAT, seats.reshape(*stack, self.seats, SEAT_WIDTH)),
        }


def _parts(block: Block, numbers: Any) -> dict[str, Any]:
    return {
        piece.name: numbers[..., start] if end == start + 1 else numbers[..., start:end]
        for piece, (start, end) in zip(block, pairwise(starts_of(block)), strict=True)
    }


@cache
def layout_for(players: int) -> ObservationLayout:
    """The layout for a number of players; solo games have two seats, as the Ghost has one (R10.1)."""
    return ObservationLayout(max(2, players))


def observe(state: State, viewer: int, numbers: SmallInts) -> None:
    """Write a seat's observation into ``numbers``."""
    seats_at = TABLE_WIDTH + row_length(state) * SLOT_WIDTH
    for index in range(seats_at + state.seats * SEAT_WIDTH):
        numbers[index] = 0
    observe_table(state, numbers)
    for position in range(row_length(state)):
        observe_slot(state, viewer, position, numbers, TABLE_WIDTH + position * SLOT_WIDTH)
    for seat in range(state.seats):
        observe_seat(state, seat, numbers, seats_at + seen_from(state, viewer, seat) * SEAT_WIDTH)
    observe_cards(state, viewer, numbers, seats_at)


def seen_from(state: State, viewer: int, seat: int) -> int:
    """The number of seats from the viewer to a seat, counted to the left."""
    left = seat - viewer
    return left if left >= 0 else left + state.seats


def observe_table(state: State, numbers: SmallInts) -> None:
    for index in range(PHASES):
        numbers[PHASE + index] = 1 if state.phase == PHASES_OF_PLAYERS[index] else 0
    if state.errand != NO_ERRAND:
        numbers[ERRAND + state.errand - 1] = 1
        numbers[ERRAND_SLOT] = state.errand_slot + 1
        numbers[FLIPS_OWED] = state.flips_owed
    numbers[ROUND] = state.round_number
    numbers[TURN] = state.turn
    numbers[LAST_SLOT] = state.last_slot + 1
    for card_type in range(TYPES):
        numbers[SIDES + card_type] = state.sides[card_type]
    if state.top != NONE:
        numbers[TOP + state.top] = 1
    numbers[DECK] = state.deck
    numbers[RACE_OVER] = state.is_race_over
    numbers[GHOST_PUSHED] = state.ghost_pushed


def observe_slot(state: State, viewer: int, position: int, numbers: SmallInts, at: int) -> None:
    slot = state.slots[position]
    if slot.card != NONE:
        numbers[at + SLOT_TYPE + state.card_type[slot.card]] = 1
        numbers[at + SLOT_DOWN] = slot.is_down
        if knows(state, viewer, slot.card):
            numbers[at + SLOT_VALUE] = state.card_value[slot.card]
    if slot.holder != NONE:
        numbers[at + SLOT_HOLDER + seen_from(state, viewer, slot.holder)] = 1
        numbers[at + SLOT_DICE] = slot.dice
        numbers[at + SLOT_EFFORT] = slot.effort
        numbers[at + SLOT_FAILED] = slot.failed


def observe_seat(state: State, seat: int, numbers: SmallInts, at: int) -> None:
    player = state.players[seat]
    numbers[at + SEAT_ACTS] = 1 if state.actor == seat else 0
    numbers[at + SEAT_LEADS] = 1 if state.leader == seat else 0
    numbers[at + SEAT_READY] = player.ready
    numbers[at + SEAT_EXHAUSTED] = player.exhausted
    numbers[at + SEAT_PLACED] = player.has_placed
    numbers[at + SEAT_PEEKED] = player.has_peeked
    numbers[at + SEAT_WON_IDOLS] = player.won_idols
    for card_type in range(TYPES):
        numbers[at + SEAT_HELD + card_type] = player.held[card_type]
        numbers[at + SEAT_UNFLIPPED + card_type] = player.unflipped[card_type]


def observe_cards(state: State, viewer: int, numbers: SmallInts, seats_at: int) -> None:
    """Write known cards to their owners' counts, and all other cards of the game as unseen (R2.1, R11.5)."""
    for kind in range(KINDS):
        numbers[UNSEEN + kind] = COPIES[state.seats][kind % VALUES]
    for card in range(state.drawn):
        if knows(state, viewer, card):
            kind = kind_of(state.card_type[card], state.card_value[card])
            numbers[UNSEEN + kind] -= 1
            place = state.card_place[card]
            if place < IN_CRYPT:
                numbers[seats_at + seen_from(state, viewer, place) * SEAT_WIDTH + SEAT_CARDS + kind] += 1


def write_mask(state: State, options: Options, mask: SmallInts) -> None:
    """Write 1 for each legal action of the actor, 0 for all others."""
    for action in range(ACTIONS):
        mask[action] = 0
    for index in range(legal_actions(state, options)):
        mask[options.codes[index]] = 1
