"""Action codes: each small decision of a turn as a number. ``royalcrypt.notation`` converts them to text."""

from royalcrypt.rules.layout import FACES, SERVANTS, SLOTS, VALUES

PER_SLOT = SERVANTS * FACES
DONE = SLOTS * PER_SLOT
RECOVER = DONE + 1
PEEK = RECOVER + 1
MEND = PEEK + 1
DECLINE = MEND + 1
TAKE = DECLINE + 1
REROLL = TAKE + SLOTS
FLIP = REROLL + SLOTS
ACTIONS = FLIP + VALUES


def placement(slot: int, dice: int, effort: int) -> int:
    return slot * PER_SLOT + (dice - 1) * FACES + effort - 1


def placed_slot(action: int) -> int:
    return action // PER_SLOT


def placed_dice(action: int) -> int:
    return action % PER_SLOT // FACES + 1


def placed_effort(action: int) -> int:
    return action % FACES + 1


def take(slot: int) -> int:
    return TAKE + slot


def reroll(slot: int) -> int:
    return REROLL + slot


def flip(value: int) -> int:
    return FLIP + value - 1


def flipped_value(action: int) -> int:
    return action - FLIP + 1
