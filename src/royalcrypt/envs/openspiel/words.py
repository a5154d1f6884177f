"""Every step of a game as a number and as text.

A player's small decision keeps its number (``rules.actions``). Then follow cards as they are drawn, known or
not, the type on top of the deck, faces of dice, and flips with the card that was flipped.
"""

from royalcrypt.envs.wording import ACTION_NAMES
from royalcrypt.notation.cards import LETTERS, card_text
from royalcrypt.rules.actions import ACTIONS, FLIP, flipped_value
from royalcrypt.rules.cards import kind_type, kind_value
from royalcrypt.rules.layout import CARDS, FACES, KINDS, TYPES, VALUES
from royalcrypt.rules.phases import REVEAL, TOP

DRAWN = ACTIONS
UNKNOWN = DRAWN + KINDS
ON_TOP = UNKNOWN + TYPES
FACE = ON_TOP + TYPES
FLIPPED = FACE + FACES + 1
STEPS = FLIPPED + CARDS * VALUES
STEP_NAMES = (
    *ACTION_NAMES,
    *[f"draw {card_text(kind_type(kind), kind_value(kind))}" for kind in range(KINDS)],
    *[f"draw {card_text(card_type, 0)}" for card_type in range(TYPES)],
    *[f"top {letter}" for letter in LETTERS],
    *[f"roll {face}" for face in range(FACES + 1)],
    *[f"flip {value} of card {card + 1}" for card in range(CARDS) for value in range(1, VALUES + 1)],
)


def is_draw(step: int) -> bool:
    return DRAWN <= step < UNKNOWN


def step_by_chance(phase: int, outcome: int) -> int:
    if phase == REVEAL:
        return DRAWN + outcome
    return ON_TOP + outcome if phase == TOP else FACE + outcome


def step_by_player(action: int, card: int) -> int:
    """``card`` is the card that was flipped, if one was."""
    return action if action < FLIP else FLIPPED + card * VALUES + flipped_value(action) - 1
