"""Every step of a game as a number and as a word: what a game's story is told in.

Small decisions of players are their own numbers (``rules.actions``). After them come cards as they are drawn,
known or not, the type on top of the deck, faces of dice, and flips with the card that was flipped.
"""

from royalcrypt.notation.cards import LETTERS, card_text
from royalcrypt.notation.moves import Move
from royalcrypt.rules import phases
from royalcrypt.rules.actions import ACTIONS, DONE, FLIP, flipped_value
from royalcrypt.rules.cards import kind_type, kind_value
from royalcrypt.rules.layout import CARDS, FACES, KINDS, TYPES, VALUES

DRAWN = ACTIONS
UNKNOWN = DRAWN + KINDS
ON_TOP = UNKNOWN + TYPES
FACE = ON_TOP + TYPES
FLIPPED = FACE + FACES + 1
STEPS = FLIPPED + CARDS * VALUES


def is_draw(step: int) -> bool:
    return DRAWN <= step < UNKNOWN


def step_by_chance(phase: int, outcome: int) -> int:
    if phase == phases.REVEAL:
        return DRAWN + outcome
    return ON_TOP + outcome if phase == phases.TOP else FACE + outcome


def step_by_player(action: int, card: int) -> int:
    """The card is the one that was flipped, if one was."""
    return action if action < FLIP else FLIPPED + card * VALUES + flipped_value(action) - 1


def action_word(action: int) -> str:
    """A player's small decision in the notation of moves; two of them stand in no move by themselves."""
    if action == DONE:
        return "done"
    if action >= FLIP:
        return f"flip {flipped_value(action)}"
    return str(Move.from_codes([action]))


WORDS = (
    *[action_word(action) for action in range(ACTIONS)],
    *[f"draw {card_text(kind_type(kind), kind_value(kind))}" for kind in range(KINDS)],
    *[f"draw {card_text(card_type, 0)}" for card_type in range(TYPES)],
    *[f"top {letter}" for letter in LETTERS],
    *[f"roll {face}" for face in range(FACES + 1)],
    *[f"flip {value} of card {card + 1}" for card in range(CARDS) for value in range(1, VALUES + 1)],
)
"""By step."""


def story_text(story: list[int]) -> str:
    return "; ".join([WORDS[step] for step in story])
