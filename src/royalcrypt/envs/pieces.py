"""What an observation holds, declared once: names, sizes, bounds and meanings, in the order they are written.

An observation is one row of small whole numbers: first what concerns the table, then a block for each place
of the row, then a block for each seat, the observer's own first and on to the left. A piece is a part of that
row under a name, so pieces and row cannot disagree.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from royalcrypt.rules.layout import FACES, KINDS, SEATS, SERVANTS, SLOTS, TYPES, VALUES
from royalcrypt.rules.phases import NO_ERRAND, REROLLING
from royalcrypt.rules.reveal import ROUNDS, ROW

ERRANDS = REROLLING - NO_ERRAND
PHASES = 4
"""In which somebody decides: Pottery B, Claim, Idol A, Remains A."""
COPIES = 2
OF_A_TYPE = COPIES * VALUES


@dataclass(frozen=True, slots=True)
class Piece:
    """Some numbers with a common meaning, none of them below 0."""

    name: str
    width: int
    most: int
    meaning: str


TABLE = (
    Piece("phase", PHASES, 1, "what is decided: Pottery B, a claim turn, Idol A, or the last Remains A"),
    Piece("errand", ERRANDS, 1, "what the flips now owed pay for: peek, mend, take, re-roll"),
    Piece("errand_slot", 1, SLOTS, "the place of the row that a take or a re-roll is about, from 1; else 0"),
    Piece("flips_owed", 1, 2, "flips still to be made"),
    Piece("round", 1, max(ROUNDS), "the round, from 1"),
    Piece("turn", 1, SEATS, "claim turns taken in this round"),
    Piece("last_slot", 1, SLOTS, "the last place claimed in the turn under way, from 1; else 0"),
    Piece("sides", TYPES, 1, "each Collector's side: 0 for A, 1 for B"),
    Piece("top", TYPES, 1, "the type of the deck's top card"),
    Piece("deck", 1, COPIES * KINDS, "cards left in the deck"),
    Piece("unseen", KINDS, COPIES, "cards by kind (I1, I2 … T4) whose place the observer does not know"),
    Piece("race_over", 1, 1, "whether somebody was first to two Idols (Idol B)"),
    Piece("ghost_pushed", 1, SERVANTS, "dice of the Ghost that were pushed off in this round"),
)  # fmt: skip
SLOT = (
    Piece("slot_type", TYPES, 1, "the card's type; all 0 where no card lies"),
    Piece("slot_value", 1, VALUES, "its coins, 0 where the observer does not know them"),
    Piece("slot_down", 1, 1, "whether it was dealt face-down"),
    Piece("slot_holder", SEATS, 1, "who holds it, seats counted from the observer"),
    Piece("slot_dice", 1, SERVANTS, "dice on it"),
    Piece("slot_effort", 1, FACES, "their effort"),
    Piece("slot_failed", 1, SERVANTS, "how many of them failed in this Collect"),
)
SEAT = (
    Piece("seat_acts", 1, 1, "whether this seat decides now"),
    Piece("seat_leads", 1, 1, "whether it leads this round"),
    Piece("seat_ready", 1, SERVANTS, "ready dice"),
    Piece("seat_exhausted", 1, SERVANTS, "exhausted dice"),
    Piece("seat_placed", 1, 1, "whether it placed dice in this round"),
    Piece("seat_peeked", 1, 1, "whether it looked at the face-down cards in this round"),
    Piece("seat_won_idols", 1, 1, "whether it was first to two Idols"),
    Piece("seat_held", TYPES, OF_A_TYPE, "its cards by type"),
    Piece("seat_unflipped", TYPES, OF_A_TYPE, "those of them that are not flipped"),
    Piece("seat_cards", KINDS, COPIES, "its cards by kind, as far as the observer knows their values"),
)


def width_of(block: tuple[Piece, ...]) -> int:
    return sum(piece.width for piece in block)


def starts_of(block: tuple[Piece, ...]) -> tuple[int, ...]:
    """Where each piece begins in its block."""
    return tuple(width_of(block[:index]) for index in range(len(block)))


TABLE_WIDTH, SLOT_WIDTH, SEAT_WIDTH = width_of(TABLE), width_of(SLOT), width_of(SEAT)
(
    PHASE, ERRAND, ERRAND_SLOT, FLIPS_OWED, ROUND, TURN, LAST_SLOT, SIDES, TOP, DECK, UNSEEN, RACE_OVER,
    GHOST_PUSHED,
) = starts_of(TABLE)  # fmt: skip
SLOT_TYPE, SLOT_VALUE, SLOT_DOWN, SLOT_HOLDER, SLOT_DICE, SLOT_EFFORT, SLOT_FAILED = starts_of(SLOT)
(
    SEAT_ACTS, SEAT_LEADS, SEAT_READY, SEAT_EXHAUSTED, SEAT_PLACED, SEAT_PEEKED, SEAT_WON_IDOLS, SEAT_HELD,
    SEAT_UNFLIPPED, SEAT_CARDS,
) = starts_of(SEAT)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything is in the observations of a table with this many seats; the Ghost has one, too."""

    seats: int

    @property
    def slots(self) -> int:
        return ROW[self.seats]

    @property
    def size(self) -> int:
        return TABLE_WIDTH + self.slots * SLOT_WIDTH + self.seats * SEAT_WIDTH

    @property
    def most(self) -> list[int]:
        """The highest value of each number; the lowest is always 0."""
        blocks = TABLE + self.slots * SLOT + self.seats * SEAT
        return [piece.most for piece in blocks for _ in range(piece.width)]

    def shape_of(self, piece: Piece) -> tuple[int, ...]:
        width = () if piece.width == 1 else (piece.width,)
        if piece in SLOT:
            return (self.slots, *width)
        return (self.seats, *width) if piece in SEAT else width

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The parts of an observation, or of a stack of them, by name: windows onto it, not copies."""
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


def _parts(block: tuple[Piece, ...], numbers: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for piece, start in zip(block, starts_of(block), strict=True):
        is_single = piece.width == 1
        found[piece.name] = numbers[..., start] if is_single else numbers[..., start : start + piece.width]
    return found


@cache
def layout_for(players: int) -> Layout:
    """Alone, the Ghost sits at the table, too (R10.1)."""
    return Layout(max(2, players))
