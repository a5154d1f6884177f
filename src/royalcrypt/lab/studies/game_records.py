"""Records that the kernel reads and writes: scripts of games, turns and results.

The functions are compiled as part of the kernel.
"""

from enum import IntEnum
from typing import Annotated, Protocol

from royalcrypt.rules import notes
from royalcrypt.rules.actions import placed_dice, placed_effort
from royalcrypt.rules.cards import IDOL, MANUSCRIPT, POTTERY, REMAINS, kind_of
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.layout import I2, KINDS, NONE, SEATS, SLOTS, TYPES, Ints, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import bonus, scoring_seats
from royalcrypt.search.backend import RecordArray, record_dtype


class Intervention(IntEnum):
    """The change that is made in a counterfactual game."""

    NONE = 0
    REWARD_DENIED = 1
    """A seat cannot pay for one Collector's reward, although it plays as if it could."""
    CARD_REMOVED = 2
    """A card is removed from its owner before the next round."""
    OTHER_CHOICE = 3
    """In one turn, a seat makes the other choice: to claim instead of to recover, or the reverse."""


REWARD_DENIED, CARD_REMOVED, OTHER_CHOICE = (member.value for member in list(Intervention)[1:])
COLLECTED, PUSHED_OUT = range(2)
"""The possible fates of placed dice."""
MOST_TURNS = 160
"""The capacity for placements and recoveries, including the Ghost's; four players make at most 8 * 4 * 3."""
READY, EXHAUSTED, ROUND, TURN_NUMBER = range(SLOTS, SLOTS + 4)
"""Indices of the kernel's scratch numbers for the start of a turn. The indices below contain, by slot, the
index of the turn in which its dice were placed."""
NUMBERS = SLOTS + 4
REWARD_NOTES = (
    (notes.REROLLED, IDOL),
    (notes.PEEKED, MANUSCRIPT),
    (notes.TOOK, POTTERY),
    (notes.MENDED, REMAINS),
)


class Script(Protocol):
    """The parameters of a scripted game."""

    number: Annotated[int, "i8"]
    """The number of the deal, which with the seed determines cards and dice."""
    players: Annotated[int, I2]
    leader: Annotated[int, I2]
    sides: Annotated[Ints, I2, (TYPES,)]
    lights: Annotated[int, I2]
    """One bit per seat: set for seats with light players."""
    intervention: Annotated[int, I2]
    seat: Annotated[int, I2]
    """The seat of the intervention REWARD_DENIED."""
    card_type: Annotated[int, I2]
    """The card type of the intervention REWARD_DENIED."""
    occurrence: Annotated[int, I2]
    """The index of the taken card for CARD_REMOVED, in the order of taking; for OTHER_CHOICE, the index among
    the turns with a choice."""


class GameResult(Protocol):
    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[int, I2]
    """One bit per seat: set for winners."""
    decisions: Annotated[int, I2]
    dice: Annotated[Ints, I2, (SEATS,)]
    """The dice that are not exhausted at the end, by seat."""
    cards: Annotated[Ints, I2, (SEATS * KINDS,)]
    """The number of cards by seat and kind."""
    bonuses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """The coins paid by Collectors, by seat and type."""
    uses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """The number of rewards used in play, by seat and type of the flipped cards."""
    takings: Annotated[int, I2]
    """The number of cards taken."""
    choices: Annotated[int, I2]
    """The number of turns in which a seat could both recover and claim."""
    is_changed: Annotated[int, I2]
    """Whether the intervention took place; the following fields describe it."""
    seat: Annotated[int, I2]
    card_kind: Annotated[int, I2]
    held: Annotated[int, I2]
    """The number of cards of the type that remain after CARD_REMOVED."""
    round_number: Annotated[int, I2]
    ready: Annotated[int, I2]
    exhausted: Annotated[int, I2]
    would_recover: Annotated[int, I2]
    win_before: Annotated[float, "f4"]
    win_after: Annotated[float, "f4"]
    score_before: Annotated[float, "f4"]
    score_after: Annotated[float, "f4"]
    """The value network's estimates for the seat: with the card and without it, or after a recovery and after
    the best claim."""


class TurnRecord(Protocol):
    """A placement of dice on one card, or a recovery."""

    game: Annotated[int, "i4"]
    seat: Annotated[int, I2]
    round_number: Annotated[int, I2]
    turn: Annotated[int, I2]
    ready: Annotated[int, I2]
    """The ready dice at the start of the turn."""
    exhausted: Annotated[int, I2]
    effort: Annotated[int, I2]
    """The effort of the placement; 0 for a recovery."""
    dice: Annotated[int, I2]
    card_type: Annotated[int, I2]
    value: Annotated[int, I2]
    is_down: Annotated[int, I2]
    pushes: Annotated[int, I2]
    """Whether the placement pushed out another player."""
    fate: Annotated[int, I2]
    failed: Annotated[int, I2]
    """The number of its dice that were exhausted."""


Scripts = RecordArray[Script]
GameResults = RecordArray[GameResult]
TurnRecords = RecordArray[TurnRecord]
SCRIPT, GAME_RESULT, TURN_RECORD = record_dtype(Script), record_dtype(GameResult), record_dtype(TurnRecord)


def record_turn_start(state: State, row: Ints) -> None:
    """Record the situation at the start of a turn."""
    row[ROUND] = state.round_number
    row[TURN_NUMBER] = state.turn
    if state.actor >= 0 and not has_begun_claim(state):
        row[READY] = state.players[state.actor].ready
        row[EXHAUSTED] = state.players[state.actor].exhausted


def record_step(
    state: State,
    game: int,
    turns: TurnRecords,
    written: int,
    has_turns: bool,
    row: Ints,
    result: GameResult,
) -> int:
    """Record the effects of the last step; return the number of turns written."""
    for index in range(state.noted):
        what = state.notes[4 * index]
        seat = state.notes[4 * index + 1]
        if has_turns and (what == notes.PLACED or what == notes.RECOVERED):
            turn = turns[written]  # all fields are zero, which means COLLECTED
            turn.game = game
            turn.seat = seat
            turn.round_number = row[ROUND]
            turn.turn = row[TURN_NUMBER]
            turn.ready = row[READY]
            turn.exhausted = row[EXHAUSTED]
            if what == notes.RECOVERED:
                turn.dice = state.notes[4 * index + 2]
                turn.card_type = NONE
            else:
                position = state.notes[4 * index + 2]
                code = state.notes[4 * index + 3]
                card = state.drawn - row_length(state) + position
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
        for note, card_type in REWARD_NOTES:
            if what == note:
                result.uses[seat * TYPES + card_type] += 1
    return written


def record_failed_dice(state: State, turns: TurnRecords, row: Ints) -> None:
    """Record failed dice at the end of a round; its slots remain until the next round's first card."""
    for position in range(SLOTS):
        if row[position] != NONE:
            turns[row[position]].failed = state.slots[position].failed
            row[position] = NONE


def record_result(state: State, result: GameResult) -> None:
    result.winners = 0
    result.decisions = state.decisions
    result.takings = state.takings
    for seat in range(scoring_seats(state)):
        player = state.players[seat]
        result.scores[seat] = player.score
        result.dice[seat] = player.ready
        result.winners |= player.is_contender << seat
        for card_type in range(TYPES):
            result.bonuses[seat * TYPES + card_type] = bonus(state, seat, card_type)
    for index in range(state.takings):
        card = state.taken[index]
        kind = kind_of(state.card_type[card], state.card_value[card])
        result.cards[state.card_place[card] * KINDS + kind] += 1
