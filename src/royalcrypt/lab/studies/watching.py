"""What a step of a scripted game brings about, written down; compiled as part of the kernel."""

from royalcrypt.lab.studies.scripts import COLLECTED, PUSHED_OUT, Tale, Turn, Turns
from royalcrypt.rules import notes
from royalcrypt.rules.actions import placed_dice, placed_effort
from royalcrypt.rules.cards import IDOL, MANUSCRIPT, POTTERY, REMAINS, kind_of
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.layout import KINDS, NONE, SLOTS, TYPES, Ints, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import bonus, scoring_seats

MOST_TURNS = 160
"""Placements and recoveries of a game, the Ghost's too: four players have at most 8 * 4 * 3."""
OPEN = SLOTS
"""A kernel's row of whole numbers: by slot the turn whose dice lie there, and then what a turn began with."""
READY, EXHAUSTED, ROUND, TURN_NUMBER = range(OPEN, OPEN + 4)
NUMBERS = OPEN + 4
REWARD_NOTES = (
    (notes.REROLLED, IDOL),
    (notes.PEEKED, MANUSCRIPT),
    (notes.TOOK, POTTERY),
    (notes.MENDED, REMAINS),
)


def watch(state: State, game: int, turns: Turns, written: int, has_turns: bool, row: Ints, tale: Tale) -> int:
    """Write down what the last step brought about; return how many turns are written."""
    for index in range(state.noted):
        what = state.notes[4 * index]
        seat = state.notes[4 * index + 1]
        if what == notes.PLACED and has_turns:
            position = state.notes[4 * index + 2]
            code = state.notes[4 * index + 3]
            card = state.drawn - row_length(state) + position
            turn = begin_turn(turns, written, game, seat, row)
            turn.effort = placed_effort(code)
            turn.dice = placed_dice(code)
            turn.card_type = state.card_type[card]
            turn.value = state.card_value[card]
            turn.is_down = state.slots[position].is_down
            if row[position] != NONE:
                turn.pushes = 1
                turns[row[position]].fate = PUSHED_OUT
            row[position] = written
            written += 1
        elif what == notes.RECOVERED and has_turns:
            turn = begin_turn(turns, written, game, seat, row)
            turn.dice = state.notes[4 * index + 2]
            written += 1
        for note, card_type in REWARD_NOTES:
            if what == note:
                tale.uses[seat * TYPES + card_type] += 1
    return written


def begin_turn(turns: Turns, index: int, game: int, seat: int, row: Ints) -> Turn:
    turn = turns[index]
    turn.game = game
    turn.seat = seat
    turn.round_number = row[ROUND]
    turn.turn = row[TURN_NUMBER]
    turn.ready = row[READY]
    turn.exhausted = row[EXHAUSTED]
    turn.effort = 0
    turn.dice = 0
    turn.card_type = NONE
    turn.value = 0
    turn.is_down = 0
    turn.pushes = 0
    turn.fate = COLLECTED
    turn.failed = 0
    return turn


def end_round(state: State, turns: Turns, row: Ints) -> None:
    """The slots still tell of the last round's dice until the first card of the next one is drawn."""
    for position in range(SLOTS):
        if row[position] != NONE:
            turns[row[position]].failed = state.slots[position].failed
            row[position] = NONE


def begin_step(state: State, row: Ints) -> None:
    """What a turn that may be taken now begins with."""
    row[ROUND] = state.round_number
    row[TURN_NUMBER] = state.turn
    if state.actor >= 0 and not has_begun_claim(state):
        row[READY] = state.players[state.actor].ready
        row[EXHAUSTED] = state.players[state.actor].exhausted


def end_tale(state: State, tale: Tale) -> None:
    tale.winners = 0
    tale.decisions = state.decisions
    tale.takings = state.takings
    for seat in range(scoring_seats(state)):
        player = state.players[seat]
        tale.scores[seat] = player.score
        tale.dice[seat] = player.ready
        tale.winners |= player.is_contender << seat
        for card_type in range(TYPES):
            tale.bonuses[seat * TYPES + card_type] = bonus(state, seat, card_type)
    for index in range(state.takings):
        card = state.taken[index]
        kind = kind_of(state.card_type[card], state.card_value[card])
        tale.cards[state.card_place[card] * KINDS + kind] += 1
