"""Training games of the value network, and games against light players to measure its strength.

``generate_samples`` plays all training games. In quick games, a player makes the small decision
that the network rates highest. In careful games, players compare candidates by rollouts; the results are the
targets of all candidates, also of those not chosen, so the network learns to predict the results of
rollouts.
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
"""The most samples of a quick and of a careful game; random players make at most about 170 decisions."""
CANDIDATES, TRIES = 6, 12
"""The number of candidates per decision, and of rollouts per candidate."""
PRIOR = 3
"""The weight of the network's estimate, in rollouts."""
EXPLORATION = 1 << 29
"""The chance addresses for the decision whether to explore."""
EXPLORED_OFFSET = SEATS
"""An offset of the owner that marks explored decisions, which do not affect earlier targets."""
FINAL = NONE
"""The owner that marks samples whose targets are final."""


class Sample(Protocol):
    """An encoded position with the targets for the win chance and the score."""

    inputs: Annotated[Floats, "f4", (INPUTS,)]
    targets: Annotated[Floats, "f4", (2,)]
    owner: Annotated[int, "i2"]
    """The seat from whose perspective the position is encoded."""


class TrainingGames(Protocol):
    """The parameters of a series of training games."""

    first: Annotated[int, "i8"]
    """The number of the first game."""
    games: Annotated[int, "i8"]
    players: Annotated[int, "i8"]
    longest: Annotated[int, "i8"]
    """The most samples that one game can need."""
    one_in: Annotated[int, "i8"]
    """The exploration rate: one random decision out of this many; 0 for none."""
    trust: Annotated[float, "f8"]
    """The parameter lambda of TD(lambda)."""
    is_careful: Annotated[int, "i8"]


Samples = RecordArray[Sample]
SAMPLE = record_dtype(Sample)
TRAINING_GAMES = record_dtype(TrainingGames)


def greedy_action(work: Workspace, weights: Floats, only: int) -> int:
    """The actor's action in ``board[KNOWN]`` with the highest value; ``work.best`` is the position after it.

    If ``only`` is not NONE, returns the action with this index instead.
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
    """The index of a random action once in ``one_in`` decisions on average; otherwise NONE."""
    decision = work.board[KNOWN].decisions << 8
    if one_in == 0 or keyed_choice(high, low, EXPLORATION + decision, one_in) > 0:
        return NONE
    return keyed_choice(high, low, CHOICES + decision, legal_actions(work.board[KNOWN], work.options))


def decide(
    work: Workspace, samples: Samples, index: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Make the best small decision in ``board[GAME]``; return the end index of the samples."""
    seat = work.board[GAME].actor
    work.board[KNOWN] = work.board[GAME]
    conceal(work.board[KNOWN], seat)
    only = explored_index(work, plan.one_in, high, low)
    action = greedy_action(work, weights, only)
    evaluate(work.best, weights, work.layer)
    owner = seat if only == NONE else seat + EXPLORED_OFFSET
    write_sample(samples[index], owner, work.best, work.layer[WIN_AT], work.layer[SCORE_AT])
    apply(work.board[GAME], seat, action)
    return index + 1


def sample_candidates(work: Workspace, samples: Samples, first: int, count: int) -> int:
    """Write a sample for each candidate of ``board[ROOT]``; return the index of the best candidate."""
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
    """Make the best candidate action in ``board[GAME]``; return the end index of the samples.

    Once in ``plan.one_in`` decisions a random candidate is chosen instead. Samples are written for all
    candidates, and after each small decision of the chosen one.
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
            owner = seat if chosen == best else seat + EXPLORED_OFFSET
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
    """Play ``board[GAME]`` to its end and write samples from ``first`` on; return their end index.

    A sample is written for the deciding seat after each decision, for one other seat after each turn, and for
    all seats before each round.
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
    """Convert the predictions after decisions to targets by TD(lambda), with ``trust`` as lambda.

    The target of each prediction is a mean of the seat's later predictions and the result.
    """
    for seat in range(scoring_seats(state)):
        win = win_share(state, seat)
        score = state.players[seat].score / SCORE_SCALE
        is_cut = False
        for index in range(end - 1, first - 1, -1):
            owner = samples[index].owner
            if owner != FINAL and owner % EXPLORED_OFFSET == seat:
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
                is_cut = owner >= EXPLORED_OFFSET


def generate_samples(
    work: Workspace,
    samples: Samples,
    capacity: int,
    weights: Floats,
    plan: TrainingGames,
    high: int,
    low: int,
) -> int:
    """Play the games of a plan and write samples; return the number of samples.

    Stops early if the remaining ``capacity`` might not suffice for a game.
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
    """Play ``board[GAME]`` to its end with the network in one seat and light players in the others."""
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
    """The win share of one player that uses the network, once in each seat of each deal.

    In solo games, returns the mean score as a fraction of ``SCORE_SCALE``.
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
