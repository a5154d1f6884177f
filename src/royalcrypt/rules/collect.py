"""The Collect phase: discards, rallies, rolls, re-rolls and collecting the cards (section 6)."""

from royalcrypt.rules import notes, phases
from royalcrypt.rules.cards import DISCARDED, gain
from royalcrypt.rules.claims import return_dice
from royalcrypt.rules.collectors import can_reroll
from royalcrypt.rules.layout import CHANCE, GHOST, NOBODY, NONE, State
from royalcrypt.rules.notes import note
from royalcrypt.rules.reveal import row_length, seat_at


def begin_collect(state: State) -> None:
    for position in range(row_length(state)):
        discard_unclaimed(state, position)
    for order in range(state.seats):
        rally(state, seat_at(state, order))
    state.phase = phases.ROLL
    state.order = 0
    begin_rolls(state)


def discard_unclaimed(state: State, position: int) -> None:
    """Discard a card that no player claimed, also one held by the Ghost (R10.6); it stays hidden (R6.1)."""
    slot = state.slots[position]
    if state.is_solo and slot.holder == GHOST:
        state.players[GHOST].ready += slot.dice
        slot.holder = NONE
    if slot.holder == NONE and slot.card != NONE:
        state.card_place[slot.card] = DISCARDED
        slot.card = NONE


def rally(state: State, seat: int) -> None:
    """Return all exhausted dice to a player whose placed dice were all pushed out (R6.2)."""
    player = state.players[seat]
    if player.has_placed and player.exhausted > 0 and not holds_any(state, seat):
        note(state, notes.RALLIED, seat, return_dice(state, seat), 0)


def holds_any(state: State, seat: int) -> bool:
    for position in range(row_length(state)):
        if state.slots[position].holder == seat:
            return True
    return False


def begin_rolls(state: State) -> None:
    state.roll_slot = 0
    state.rolls = 0
    state.chance_seat = seat_at(state, state.order)
    state.chance_index = 0


def find_next_die(state: State) -> None:
    """Advance to the next die to be rolled; dice of effort 1 cannot fail and are not rolled (R6.3)."""
    seat = seat_at(state, state.order)
    length = row_length(state)
    while state.roll_slot < length:
        slot = state.slots[state.roll_slot]
        if slot.holder == seat:
            if slot.effort > 1 and state.rolls < slot.dice:
                state.actor = CHANCE
                return
            note(state, notes.ROLLED, seat, state.roll_slot, slot.effort)
        state.roll_slot += 1
        state.rolls = 0
    take_cards(state, seat)
    state.phase = phases.IDOL


def roll_servant(state: State, face: int) -> None:
    slot = state.slots[state.roll_slot]
    note(state, notes.DIE, slot.holder, face, 0)
    slot.failed += int(face < slot.effort)
    state.rolls += 1
    state.chance_index += 1
    state.actor = NOBODY


def take_cards(state: State, seat: int) -> None:
    """Move claimed cards to the player's collection before re-rolls, so a new Idol can pay (R6.4, R6.5)."""
    for position in range(row_length(state)):
        slot = state.slots[position]
        if slot.holder == seat:
            gain(state, seat, slot.card)
            slot.card = NONE


def offer_rerolls(state: State) -> None:
    seat = seat_at(state, state.order)
    if can_reroll(state, seat):
        state.actor = seat
    else:
        return_rolled_dice(state, seat)


def reroll_servant(state: State, face: int) -> None:
    """Replace a failed roll by a new face; if it fails too, another Idol can re-roll it (R8.1A)."""
    slot = state.slots[state.errand_slot]
    note(state, notes.DIE, slot.holder, face, 0)
    note(state, notes.REROLLED, slot.holder, state.errand_slot, slot.effort)
    if face >= slot.effort:
        slot.failed -= 1
    state.chance_index += 1
    state.phase = phases.IDOL
    state.actor = NOBODY


def return_rolled_dice(state: State, seat: int) -> None:
    """Exhaust the failed dice, return the others ready, and continue with the next player's rolls."""
    player = state.players[seat]
    collected = False
    for position in range(row_length(state)):
        slot = state.slots[position]
        if slot.holder == seat:
            note(state, notes.GAINED, seat, state.drawn - row_length(state) + position, 0)
            player.exhausted += slot.failed
            player.ready += slot.dice - slot.failed
            slot.holder = NONE
            collected = True
    if collected:
        note(state, notes.COLLECTED, seat, 0, 0)
    state.order += 1
    state.phase = phases.ROLL if state.order < state.seats else phases.TORCH
    state.actor = NOBODY
    begin_rolls(state)
