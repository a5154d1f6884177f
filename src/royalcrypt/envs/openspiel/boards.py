"""A state, full or concealed, as lines of text."""

from collections.abc import Iterable

from royalcrypt.notation.cards import LETTERS, card_of, sides_text
from royalcrypt.rules.cards import DISCARDED, IN_CRYPT
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, State
from royalcrypt.rules.phases import CLAIM, NO_ERRAND, OVER, Phase
from royalcrypt.rules.reveal import ROUNDS, row_length

ERRANDS = ("", "peek", "mend", "take", "reroll")


def board_text(state: State) -> str:
    """Round and phase, the row, each seat, deck and discards. ``?`` stands for a hidden value."""
    return "\n".join(
        [
            f"{sides_text(state)}, round {state.round_number} of {ROUNDS[state.seats]}, {_phase_text(state)}",
            "row: " + ", ".join(_slot_text(state, slot) for slot in range(row_length(state))),
            *[_seat_text(state, seat) for seat in range(state.seats)],
            f"deck: {state.deck} cards" + ("" if state.top == NONE else f", {LETTERS[state.top]} on top"),
            "discarded: " + _cards_text(state, range(state.drawn), DISCARDED),
        ]
    )


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
    # In Reveal, the slots not yet dealt still hold the cards of the round before.
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
    return (
        f"seat {seat}: {player.ready} ready, {player.exhausted} exhausted{peeked}{first}{score}{won}: "
        + _cards_text(state, [state.taken[index] for index in range(state.takings)], seat)
    )


def _cards_text(state: State, cards: Iterable[int], place: int) -> str:
    """Those of the cards that are in this place. An exclamation mark follows a flipped card."""
    found = [card for card in cards if state.card_place[card] == place]
    return " ".join([card_of(state, card) + "!" * state.card_flipped[card] for card in found]) or "none"
