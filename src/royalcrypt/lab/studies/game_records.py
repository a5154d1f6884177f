"""Records that the kernel reads and writes: what a scripted game is to be, its turns and its result.

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
    """The one thing that is changed in a counterfactual game."""

    NONE = 0
    REWARD_DENIED = 1
    """A seat can never pay for one Collector's reward, but plays as if it could."""
    CARD_REMOVED = 2
    """A card is taken away from the seat that has just taken it, before the next round."""
    OTHER_CHOICE = 3
    """At one turn, a seat that would recover claims, or one that would claim recovers."""


REWARD_DENIED, CARD_REMOVED, OTHER_CHOICE = (member.value for member in list(Intervention)[1:])
COLLECTED, PUSHED_OUT = range(2)
"""What becomes of placed dice."""
MOST_TURNS = 160
"""Placements and recoveries of a game, the Ghost's included: four players have at most 8 * 4 * 3."""
READY, EXHAUSTED, ROUND, TURN_NUMBER = range(SLOTS, SLOTS + 4)
"""Places in the kernel's scratch numbers, for what a turn began with. Before them is, by slot, the index of
the turn whose dice lie there."""
NUMBERS = SLOTS + 4
REWARD_NOTES = (
    (notes.REROLLED, IDOL),
    (notes.PEEKED, MANUSCRIPT),
    (notes.TOOK, POTTERY),
    (notes.MENDED, REMAINS),
)


class Script(Protocol):
    """What a game is to be."""

    number: Annotated[int, "i8"]
    """Of the deal: cards and dice depend on it and on the seed, and on nothing else here."""
    players: Annotated[int, I2]
    leader: Annotated[int, I2]
    sides: Annotated[Ints, I2, (TYPES,)]
    lights: Annotated[int, I2]
    """One bit a seat: those that play lightly."""
    intervention: Annotated[int, I2]
    seat: Annotated[int, I2]
    """Of REWARD_DENIED."""
    card_type: Annotated[int, I2]
    """Of REWARD_DENIED."""
    occurrence: Annotated[int, I2]
    """Of CARD_REMOVED, the index among the cards in the order in which they are taken; of OTHER_CHOICE, among
    the turns with a choice."""


class GameResult(Protocol):
    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[int, I2]
    """One bit a seat."""
    decisions: Annotated[int, I2]
    dice: Annotated[Ints, I2, (SEATS,)]
    """Not exhausted at the end."""
    cards: Annotated[Ints, I2, (SEATS * KINDS,)]
    """By seat and kind."""
    bonuses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """Coins that Collectors paid, by seat and type."""
    uses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """How often a reward was used in play, by seat and type of the cards that paid for it."""
    takings: Annotated[int, I2]
    """Cards taken."""
    choices: Annotated[int, I2]
    """Turns with dice to recover and dice to claim with."""
    is_changed: Annotated[int, I2]
    """Whether the intervention took place; the rest is about the seat and the moment of it."""
    seat: Annotated[int, I2]
    card_kind: Annotated[int, I2]
    held: Annotated[int, I2]
    """After CARD_REMOVED: cards of this type that remain."""
    round_number: Annotated[int, I2]
    ready: Annotated[int, I2]
    exhausted: Annotated[int, I2]
    would_recover: Annotated[int, I2]
    win_before: Annotated[float, "f4"]
    win_after: Annotated[float, "f4"]
    score_before: Annotated[float, "f4"]
    score_after: Annotated[float, "f4"]
    """Estimates of the value network for the seat: with the card and without it; after a recovery and after
    the best claim."""


class TurnRecord(Protocol):
    """Dice placed on one card, or a recovery."""

    game: Annotated[int, "i4"]
    seat: Annotated[int, I2]
    round_number: Annotated[int, I2]
    turn: Annotated[int, I2]
    ready: Annotated[int, I2]
    """When the turn began."""
    exhausted: Annotated[int, I2]
    effort: Annotated[int, I2]
    """0 for a recovery."""
    dice: Annotated[int, I2]
    card_type: Annotated[int, I2]
    value: Annotated[int, I2]
    is_down: Annotated[int, I2]
    pushes: Annotated[int, I2]
    """Whether it pushed somebody out."""
    fate: Annotated[int, I2]
    failed: Annotated[int, I2]
    """Dice that were exhausted by it."""


Scripts = RecordArray[Script]
GameResults = RecordArray[GameResult]
TurnRecords = RecordArray[TurnRecord]
SCRIPT, GAME_RESULT, TURN_RECORD = record_dtype(Script), record_dtype(GameResult), record_dtype(TurnRecord)


def record_turn_start(state: State, row: Ints) -> None:
    """Note what a turn that may be taken now begins with."""
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
    """Record the effects of the last step; return how many turns are written."""
    for index in range(state.noted):
        what = state.notes[4 * index]
        seat = state.notes[4 * index + 1]
        if has_turns and (what == notes.PLACED or what == notes.RECOVERED):
            turn = turns[written]  # all zero, so COLLECTED
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
    """At the end of a round: its slots stay until the first card of the next one is drawn."""
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
