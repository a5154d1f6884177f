"""Compiled scripted games: strong and light players, with at most one intervention per game."""

from royalcrypt.lab.strong_play import strong_action
from royalcrypt.lab.studies.game_records import (
    CARD_REMOVED,
    OTHER_CHOICE,
    REWARD_DENIED,
    GameResult,
    GameResults,
    Script,
    Scripts,
    TurnRecords,
    record_failed_dice,
    record_result,
    record_step,
    record_turn_start,
)
from royalcrypt.rules import phases
from royalcrypt.rules.actions import DONE, RECOVER
from royalcrypt.rules.cards import DISCARDED, IDOL, kind_of
from royalcrypt.rules.chance import draw_chance, numbered_key
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SLOTS, TYPES, Ints, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import score_game
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.search.backend import Floats
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT
from royalcrypt.search.rollouts import evaluate_for_viewer, win_share
from royalcrypt.search.workspace import BLANK, PLAYED, Candidates, Workspace

ALL_ACTIONS = 600
"""The capacity for whole actions; the worst ones beyond it are ignored."""
CANNOT_PAY = -1000
"""The number of unflipped cards that marks a seat that cannot pay."""


def play_scripts(
    work: Workspace,
    found: Candidates,
    weights: Floats,
    scripts: Scripts,
    games: int,
    results: GameResults,
    turns: TurnRecords,
    has_turns: bool,
    row: Ints,
    high: int,
    low: int,
) -> int:
    """Play the first ``games`` scripts; record results and, if requested, turns; return the number of turns.

    ``found`` must have a capacity of ``ALL_ACTIONS`` plus one.
    """
    board = work.board
    written = 0
    for game in range(games):
        script = scripts[game]
        game_high, game_low = numbered_key(high, low, script.number)
        board[PLAYED] = board[BLANK]
        for card_type in range(TYPES):
            work.sides[card_type] = script.sides[card_type]
        set_up(board[PLAYED], script.players, work.sides, script.leader)
        if script.intervention == REWARD_DENIED:
            board[PLAYED].players[script.seat].unflipped[script.card_type] = CANNOT_PAY
        for position in range(SLOTS):
            row[position] = NONE
        step = 0
        found[0].steps = 0
        while board[PLAYED].actor != NOBODY:
            seat = board[PLAYED].actor
            this_round = board[PLAYED].round_number
            record_turn_start(board[PLAYED], row)
            if seat == CHANCE:
                action = draw_chance(board[PLAYED], game_high, game_low)
            elif (script.lights >> seat) & 1:
                action = light_action(board[PLAYED], work.options, game_high, game_low)
            else:
                if step == found[0].steps:
                    step = 0
                    choose(work, found, weights, script, results[game])
                action = found[0].codes[step]
                step += 1
            apply(board[PLAYED], seat, action)
            written = record_step(board[PLAYED], game, turns, written, has_turns, row, results[game])
            if board[PLAYED].round_number != this_round or board[PLAYED].actor == NOBODY:
                record_failed_dice(board[PLAYED], turns, row)
            if is_removal_due(board[PLAYED], script, results[game]):
                remove_card(work, script.occurrence, results[game], weights)
        record_result(board[PLAYED], results[game])
    return written


def choose(work: Workspace, found: Candidates, weights: Floats, script: Script, result: GameResult) -> None:
    """Write the action to be played by the actor to ``found[0]``."""
    board = work.board
    seat = board[PLAYED].actor
    if script.intervention == REWARD_DENIED:  # The value network sees these cards as already flipped.
        board[PLAYED].players[script.seat].unflipped[script.card_type] = 0
    most = 1
    for attempt in range(2):  # A loop, because each separate call would inline long machine code.
        count = strong_action(work, found, most, weights)
        if attempt == 1:
            if take_other_choice(found, count, found[ALL_ACTIONS].codes[0] == RECOVER, result):
                record_situation(board[PLAYED], seat, result)
            else:
                found[0] = found[ALL_ACTIONS]
            break
        code = found[0].codes[0]
        if not has_choice(board[PLAYED]) or (code != RECOVER and code >= DONE):
            break
        result.choices += 1
        if script.intervention != OTHER_CHOICE or result.choices != script.occurrence + 1:
            break
        found[ALL_ACTIONS] = found[0]
        most = ALL_ACTIONS
    if script.intervention == REWARD_DENIED:
        board[PLAYED].players[script.seat].unflipped[script.card_type] = CANNOT_PAY


def has_choice(state: State) -> bool:
    """Whether the actor begins a claim turn and could either recover or claim."""
    player = state.players[state.actor]
    return is_claiming(state) and not has_begun_claim(state) and player.ready > 0 and player.exhausted > 0


def best_candidate(found: Candidates, count: int, recovers: bool) -> int:
    """The index of the best candidate that recovers, or that claims; NONE if there is none."""
    best = NONE
    for index in range(count):
        code = found[index].codes[0]
        if code == RECOVER if recovers else code < DONE:
            if best == NONE or found[index].value > found[best].value:
                best = index
    return best


def take_other_choice(found: Candidates, count: int, would_recover: bool, result: GameResult) -> bool:
    """Move the best candidate of the other choice to the front and record both values; False without any."""
    recovery = best_candidate(found, count, True)
    claim = best_candidate(found, count, False)
    if recovery == NONE or claim == NONE:
        return False
    result.is_changed = 1
    result.would_recover = int(would_recover)
    result.win_before = found[recovery].win
    result.score_before = found[recovery].score * SCORE_SCALE
    result.win_after = found[claim].win
    result.score_after = found[claim].score * SCORE_SCALE
    other = claim if would_recover else recovery
    found[0] = found[other]
    return True


def record_situation(state: State, seat: int, result: GameResult) -> None:
    result.seat = seat
    result.round_number = state.round_number
    result.ready = state.players[seat].ready
    result.exhausted = state.players[seat].exhausted


def is_removal_due(state: State, script: Script, result: GameResult) -> bool:
    """Whether the card to be removed has been taken and its round is over."""
    return (
        script.intervention == CARD_REMOVED
        and result.is_changed == 0
        and state.takings > script.occurrence
        and (state.actor == NOBODY or (state.phase == phases.REVEAL and state.chance_index == 0))
    )


def remove_card(work: Workspace, index: int, result: GameResult, weights: Floats) -> None:
    """Remove the card taken at this index; record its owner's predictions before and after."""
    board = work.board
    layer = work.layer
    card = board[PLAYED].taken[index]
    seat = board[PLAYED].card_place[card]
    result.is_changed = 1
    result.card_kind = kind_of(board[PLAYED].card_type[card], board[PLAYED].card_value[card])
    record_situation(board[PLAYED], seat, result)
    is_over = board[PLAYED].actor == NOBODY
    for is_removed in range(2):
        if is_removed:
            discard_taken(board[PLAYED], index)
        if is_over:
            layer[WIN_AT], layer[SCORE_AT] = final_values(board[PLAYED], seat, is_removed == 1)
        else:
            evaluate_for_viewer(work, PLAYED, seat, weights)
        if is_removed:
            result.win_after = layer[WIN_AT]
            result.score_after = layer[SCORE_AT] * SCORE_SCALE
        else:
            result.win_before = layer[WIN_AT]
            result.score_before = layer[SCORE_AT] * SCORE_SCALE
    result.held = board[PLAYED].players[seat].held[board[PLAYED].card_type[card]]


def discard_taken(state: State, index: int) -> None:
    """Undo all effects of the card taken at this index on its owner, including a won Idol race (R8.1B)."""
    card = state.taken[index]
    seat = state.card_place[card]
    player = state.players[seat]
    card_type = state.card_type[card]
    state.card_place[card] = DISCARDED
    player.held[card_type] -= 1
    if state.card_flipped[card] == 0:
        player.unflipped[card_type] -= 1
    state.takings -= 1
    for later in range(index, state.takings):
        state.taken[later] = state.taken[later + 1]
    if card_type == IDOL and player.won_idols and player.held[IDOL] < 2:
        player.won_idols = 0
        state.is_race_over = 0
        for other in range(state.seats):
            state.is_race_over |= state.players[other].won_idols


def final_values(state: State, seat: int, is_rescored: bool) -> tuple[float, float]:
    """The seat's share of the win and score (as a fraction of ``SCORE_SCALE``); rescored ties are shared."""
    if is_rescored:
        score_game(state)
        state.actor = NOBODY
    return win_share(state, seat), state.players[seat].score / SCORE_SCALE
