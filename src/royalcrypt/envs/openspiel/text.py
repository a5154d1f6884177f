"""Text and number formats of steps, and text of full or concealed states.

Small decisions of players have the numbers of ``rules.actions``. Higher numbers stand for drawn cards, known
or unknown, the type of the deck's top card, faces of dice, and flips with the card that was flipped.
"""

from collections.abc import Iterable

from royalcrypt.envs.wording import ACTION_NAMES
from royalcrypt.notation.cards import LETTERS, card_of, card_text, sides_text
from royalcrypt.rules.actions import ACTIONS, FLIP, flipped_value
from royalcrypt.rules.cards import DISCARDED, IN_CRYPT, kind_type, kind_value
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import CARDS, CHANCE, FACES, KINDS, NOBODY, NONE, TYPES, VALUES, State
from royalcrypt.rules.phases import CLAIM, NO_ERRAND, OVER, REVEAL, TOP, Phase
from royalcrypt.rules.reveal import ROUNDS, row_length

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
ERRANDS = ("", "peek", "mend", "take", "reroll")


def is_draw(step: int) -> bool:
    return DRAWN <= step < UNKNOWN


def step_by_chance(phase: int, outcome: int) -> int:
    if phase == REVEAL:
        return DRAWN + outcome
    return ON_TOP + outcome if phase == TOP else FACE + outcome


def step_by_player(action: int, card: int) -> int:
    """The number of a player's step; ``card`` is the index of the card that it flips, if any."""
    return action if action < FLIP else FLIPPED + card * VALUES + flipped_value(action) - 1


def board_text(state: State) -> str:
    """A state as text: round, phase, row, seats, deck and discards. ``?`` stands for a hidden value."""
    lines = [
        f"{sides_text(state)}, round {state.round_number} of {ROUNDS[state.seats]}, {_phase_text(state)}",
        "row: " + ", ".join(_slot_text(state, slot) for slot in range(row_length(state))),
        *[_seat_text(state, seat) for seat in range(state.seats)],
        f"deck: {state.deck} cards" + ("" if state.top == NONE else f", {LETTERS[state.top]} on top"),
        "discarded: " + _cards_text(state, range(state.drawn), DISCARDED),
    ]
    return "\n".join(lines)


def _phase_text(state: State) -> str:
    phase = Phase(state.phase).name.lower()
    if state.phase == OVER:
        return phase
    who = "chance decides" if state.actor == CHANCE else f"seat {state.actor} decides"
    owed = f", {state.flips_owed} to flip to {ERRANDS[state.errand]}" if state.errand != NO_ERRAND else ""
    turn = f", turn {state.turn + 1} of {turns_in_round(state)}" if state.phase == CLAIM else ""
    return f"{phase}{turn}, seat {state.leader} leads, {who}{owed}"


def _slot_text(state: State, position: int) -> str:
    slot = state.slots[position]
    # In Reveal, undealt slots still contain the cards of the previous round.
    is_there = NONE < slot.card < state.drawn and state.card_place[slot.card] == IN_CRYPT
    if not is_there and slot.holder == NONE:
        return "-"
    card = card_of(state, slot.card) if is_there else "taken"
    down = " face-down" if slot.is_down else ""
    if slot.holder == NONE:
        return card + down
    failed = f", {slot.failed} failed" if slot.failed else ""
    return f"{card}{down} ({slot.dice}x{slot.effort} of seat {slot.holder}{failed})"


def _seat_text(state: State, seat: int) -> str:
    player = state.players[seat]
    peeked = ", peeked" if player.has_peeked else ""
    first = ", first to two Idols" if player.won_idols else ""
    score = f", score {player.score}" if state.phase == OVER else ""
    won = (", won" if state.actor == NOBODY else ", tied") if player.is_contender else ""
    cards = _cards_text(state, [state.taken[index] for index in range(state.takings)], seat)
    dice = f"{player.ready} ready, {player.exhausted} exhausted"
    return f"seat {seat}: {dice}{peeked}{first}{score}{won}: {cards}"


def _cards_text(state: State, cards: Iterable[int], place: int) -> str:
    """The text of the cards that are in this place; an exclamation mark follows a flipped card."""
    found = [card for card in cards if state.card_place[card] == place]
    return " ".join([card_of(state, card) + "!" * state.card_flipped[card] for card in found]) or "none"
