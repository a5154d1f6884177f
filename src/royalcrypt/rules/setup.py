"""Set-up (section 2)."""

from royalcrypt.rules.cards import shuffle_in
from royalcrypt.rules.layout import CHANCE, NONE, SERVANTS, TYPES, Ints, State
from royalcrypt.rules.reveal import begin_round


def set_up(state: State, players: int, sides: Ints, leader: int) -> None:
    """Make a blank state a game about to draw its first card; alone, the Ghost sits at seat 1 (R10.1)."""
    state.is_solo = 1 if players == 1 else 0
    state.seats = 2 if players == 1 else players
    for card_type in range(TYPES):
        state.sides[card_type] = sides[card_type]
    for seat in range(state.seats):
        state.players[seat].ready = SERVANTS
    shuffle_in(state)
    state.leader = leader
    state.last_slot = NONE
    begin_round(state)
    state.actor = CHANCE
