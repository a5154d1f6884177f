"""Games from which the value network learns, and games against light players that measure it.

``generate_samples`` is the one loop over training games. In quick games, a player takes the small decision
that the network rates highest. In careful games, players compare candidates by rollouts; the results are the
targets of each candidate, also of those that are not taken, so the network learns to predict what rollouts
would find.
"""

from typing import Annotated, Protocol

from royalcrypt.rules.chance import choose_sides, draw_chance, game_key, keyed_choice, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Floats, RecordArray, record_dtype
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.features import END, INPUTS, INPUTS_AT, encode
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import (
    SCORE_AT,
    SCORE_SCALE,
    WIN_AT,
    begin,
    evaluate,
    evaluate_next,
    predict,
    worth_of,
)
from royalcrypt.search.rollouts import compare, evaluate_for_viewer, win_share
from royalcrypt.search.simulation import CHOICES, bots_seed
from royalcrypt.search.workspace import (
    BLANK,
    CACHED_REPLIES,
    GAME,
    KNOWN,
    LOWEST_VALUE,
    ROOT,
    TRIED,
    Workspace,
)

LONGEST_GAME, LONGEST_CAREFUL_GAME = 600, 1500
"""Samples of one game; random players have had 170 decisions at most."""
CANDIDATES, TRIES = 6, 12
"""Candidates of each decision, and rollouts of each candidate."""
PRIOR = 3
"""The network's estimate counts as this many rollouts."""
EXPLORATION = 1 << 29
"""Addresses of the choice whether to explore."""
EXPLORED_BY = SEATS
"""Added to the owner of an explored decision: its result says nothing about the decisions before it."""
FINAL = NONE
"""Owner of a sample whose target does not depend on later samples."""


class Sample(Protocol):
    """An encoded position, and the chance to win and the score that the network should predict for it."""

    inputs: Annotated[Floats, "f4", (INPUTS,)]
    targets: Annotated[Floats, "f4", (2,)]
    owner: Annotated[int, "i2"]
    """The seat that sees the position."""


class TrainingGames(Protocol):
    """Which games are played, and how."""

    first: Annotated[int, "i8"]
    """Number of the first game."""
    games: Annotated[int, "i8"]
    players: Annotated[int, "i8"]
    longest: Annotated[int, "i8"]
    """Samples for which each game needs room."""
    one_in: Annotated[int, "i8"]
    """One decision out of this many is random; 0 for none."""
    trust: Annotated[float, "f8"]
    """Lambda of TD(lambda)."""
    is_careful: Annotated[int, "i8"]


Samples = RecordArray[Sample]
SAMPLE = record_dtype(Sample)
TRAINING_GAMES = record_dtype(TrainingGames)


def greedy_action(work: Workspace, weights: Floats, only: int) -> int:
    """The actor's action in ``board[KNOWN]`` with the highest value; ``work.best`` is the position after it.

    If ``only`` is not NONE, the action with this index is taken, whatever its value.
    """
    board = work.board
    seat = board[KNOWN].actor
    chosen = NONE
    value = LOWEST_VALUE
    begin(work.before, weights, work.layer)
    for index in range(legal_actions(board[KNOWN], work.options)):
        if only >= 0 and only != index:
            continue
        action = work.options.codes[index]
        board[TRIED] = board[KNOWN]
        apply(board[TRIED], seat, action)
        encode(board[TRIED], seat, work.numbers)
        evaluate_next(work.numbers, work.before, weights, work.layer)
        here = worth_of(work.layer[WIN_AT], work.layer[SCORE_AT], board[KNOWN].is_solo)
        if here > value:
            value = here
            chosen = action
            for number in range(END):
                work.best[number] = work.numbers[number]
    return chosen


def explored_index(work: Workspace, one_in: int, high: int, low: int) -> int:
    """The index of a random action, once in ``one_in`` decisions; NONE otherwise."""
    decision = work.board[KNOWN].decisions << 8
    if one_in == 0 or keyed_choice(high, low, EXPLORATION + decision, one_in) > 0:
        return NONE
    return keyed_choice(high, low, CHOICES + decision, legal_actions(work.board[KNOWN], work.options))


def decide(
    work: Workspace, samples: Samples, index: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Take the small decision with the highest value in ``board[GAME]``; return where the samples end."""
    seat = work.board[GAME].actor
    work.board[KNOWN] = work.board[GAME]
    conceal(work.board[KNOWN], seat)
    only = explored_index(work, plan.one_in, high, low)
    action = greedy_action(work, weights, only)
    evaluate(work.best, weights, work.layer)
    owner = seat if only == NONE else seat + EXPLORED_BY
    write_sample(samples[index], owner, work.best, work.layer[WIN_AT], work.layer[SCORE_AT])
    apply(work.board[GAME], seat, action)
    return index + 1


def sample_candidates(work: Workspace, samples: Samples, first: int, count: int) -> int:
    """Write a sample for each candidate of ``board[ROOT]``; return the best candidate."""
    board = work.board
    seat = board[ROOT].actor
    best = 0
    most = LOWEST_VALUE
    for index in range(count):
        one = work.found[index]
        win = (one.wins + PRIOR * one.win) / (one.tries + PRIOR)
        score = (one.scores + PRIOR * one.score) / (one.tries + PRIOR)
        here = worth_of(win, score, board[ROOT].is_solo)
        if here > most:
            most = here
            best = index
        board[TRIED] = board[ROOT]
        for step in range(one.steps):
            apply(board[TRIED], seat, int(one.codes[step]))
        encode(board[TRIED], seat, work.numbers)
        write_sample(samples[first + index], FINAL, work.numbers, win, score)
    return best


def decide_carefully(
    work: Workspace, samples: Samples, at: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Take the best candidate in ``board[GAME]``; return where the samples end.

    Once in ``plan.one_in`` decisions a random candidate is taken. Samples are written of all candidates,
    and after each small decision of the one taken.
    """
    board = work.board
    found = work.found
    seat = board[GAME].actor
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], seat)
    board[ROOT] = board[KNOWN]
    decision = board[ROOT].decisions << 8
    count = list_candidates(work, found, CANDIDATES, weights)
    chosen = 0
    owner = seat
    if count > 1:
        for index in range(CACHED_REPLIES):
            work.replies[index].digest = 0
        key_high, key_low = numbered_key(high, low, decision)
        compare(work, found, count, 0, TRIES, weights, key_high, key_low)
        chosen = sample_candidates(work, samples, at, count)
        at += count
        if plan.one_in > 0 and keyed_choice(high, low, EXPLORATION + decision, plan.one_in) == 0:
            best = chosen
            chosen = keyed_choice(high, low, CHOICES + decision, count)
            owner = seat if chosen == best else seat + EXPLORED_BY
    for step in range(found[chosen].steps):
        apply(board[ROOT], seat, int(found[chosen].codes[step]))
        predict(board[ROOT], seat, work.numbers, weights, work.layer)
        write_sample(samples[at], owner, work.numbers, work.layer[WIN_AT], work.layer[SCORE_AT])
        owner = seat
        at += 1
        apply(board[GAME], seat, int(found[chosen].codes[step]))
    return at


def play_and_sample(
    work: Workspace, samples: Samples, first: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Play ``board[GAME]`` to its end and write samples from ``first`` on; return where they end.

    Each decider writes what they expect after their decision. One other seat does so after each turn, and all
    seats do before each round.
    """
    state = work.board[GAME]
    own_high, own_low = game_key(bots_seed(high, low), 0)
    index = first
    this_round = 0
    while state.actor != NOBODY:
        seat = state.actor
        observer = NONE
        if seat == CHANCE:
            apply(state, seat, draw_chance(state, high, low))
        else:
            if plan.is_careful:
                index = decide_carefully(work, samples, index, weights, plan, own_high, own_low)
            else:
                index = decide(work, samples, index, weights, plan, own_high, own_low)
            observer = (seat + 1 + index % (state.seats - 1)) % state.seats
        begins = state.round_number != this_round
        this_round = state.round_number
        if state.actor != NOBODY and (begins or (observer != NONE and state.actor != seat)):
            for viewer in range(scoring_seats(state)):
                if begins or viewer == observer:
                    evaluate_for_viewer(work, GAME, viewer, weights)
                    win, score = work.layer[WIN_AT], work.layer[SCORE_AT]
                    write_sample(samples[index], viewer, work.numbers, win, score)
                    index += 1
    return index


def write_sample(sample: Sample, owner: int, seen: Floats, win: float, score: float) -> None:
    sample.owner = owner
    sample.targets[0] = win
    sample.targets[1] = score
    for number in range(INPUTS):
        sample.inputs[number] = seen[INPUTS_AT + number]


def compute_targets(state: State, samples: Samples, first: int, end: int, trust: float) -> None:
    """Turn the expectations after decisions into targets: TD(lambda), with ``trust`` as lambda.

    Each seat's expectation is drawn towards its next one, and through it towards the result.
    """
    for seat in range(scoring_seats(state)):
        win = win_share(state, seat)
        score = state.players[seat].score / SCORE_SCALE
        is_cut = False
        for index in range(end - 1, first - 1, -1):
            owner = samples[index].owner
            if owner != FINAL and owner % EXPLORED_BY == seat:
                target = samples[index].targets
                expected_win = target[0]
                expected_score = target[1]
                if is_cut:
                    win = expected_win
                    score = expected_score
                target[0] = win
                target[1] = score
                win = (1.0 - trust) * expected_win + trust * win
                score = (1.0 - trust) * expected_score + trust * score
                is_cut = owner >= EXPLORED_BY


def generate_samples(
    work: Workspace,
    samples: Samples,
    capacity: int,
    weights: Floats,
    plan: TrainingGames,
    high: int,
    low: int,
) -> int:
    """Play the games of a plan and write samples; return how many.

    It stops early when a game might need more than what is left of the ``capacity``.
    """
    end = 0
    for number in range(plan.first, plan.first + plan.games):
        if end + plan.longest > capacity:
            return end
        game_high, game_low = numbered_key(high, low, number)
        choose_sides(work.sides, game_high, game_low)
        work.board[GAME] = work.board[BLANK]
        set_up(work.board[GAME], plan.players, work.sides, number % plan.players)
        first = end
        end = play_and_sample(work, samples, first, weights, plan, game_high, game_low)
        compute_targets(work.board[GAME], samples, first, end, plan.trust)
    return end


def play_against_light(work: Workspace, own: int, weights: Floats, high: int, low: int) -> None:
    """Play ``board[GAME]`` to its end: one seat by the network, the others are light players."""
    state = work.board[GAME]
    while state.actor != NOBODY:
        seat = state.actor
        if seat == CHANCE:
            action = draw_chance(state, high, low)
        elif seat == own:
            work.board[KNOWN] = state
            conceal(work.board[KNOWN], seat)
            action = greedy_action(work, weights, NONE)
        else:
            action = light_action(state, work.options, high, low)
        apply(state, seat, action)


def compete(work: Workspace, weights: Floats, deals: int, players: int, high: int, low: int) -> float:
    """The share of wins of one player who follows the network, once in each seat of each deal.

    Alone, the mean score as a fraction of ``SCORE_SCALE``.
    """
    won = 0.0
    for deal in range(deals):
        game_high, game_low = numbered_key(high, low, deal)
        choose_sides(work.sides, game_high, game_low)
        for own in range(players):
            work.board[GAME] = work.board[BLANK]
            set_up(work.board[GAME], players, work.sides, 0)
            play_against_light(work, own, weights, game_high, game_low)
            if players == 1:
                won += work.board[GAME].players[0].score / SCORE_SCALE
            else:
                won += win_share(work.board[GAME], own)
    return won / (deals * players)
