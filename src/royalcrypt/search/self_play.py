"""Games from which the value network learns, and games against light players that measure it.

``learn_from_games`` is the one loop over training games. Its policy, ``decide``, chooses and carries out an
action and writes the samples that belong to it; ``careful_play`` puts in another policy.
"""

from typing import Annotated, Protocol

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, game_key, keyed_choice, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, State
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Floats, RecordArray, record_dtype
from royalcrypt.search.features import END, INPUTS, SCRATCH, describe
from royalcrypt.search.judge import evaluate_for, share_of
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, begin, evaluate, evaluate_next, worth
from royalcrypt.search.random_play import CHOICES, bots_seed
from royalcrypt.search.workspace import BLANK, GAME, KNOWN, NO_PROMISE, TRIED, Workspace

LONGEST_GAME = 600
"""Samples of one game; random players have had 170 decisions at most."""
DARING = 1 << 29
"""Addresses of the choice whether to explore."""
TRIED_BY = SEATS
"""Added to the owner of an explored decision: its result says nothing about the decisions before it."""
SETTLED = NONE
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
    """One decision in so many is random; 0 for none."""
    trust: Annotated[float, "f8"]
    """Lambda of TD(lambda)."""


Samples = RecordArray[Sample]
SAMPLE = record_dtype(Sample)
TRAINING_GAMES = record_dtype(TrainingGames)


def weighed_action(work: Workspace, weights: Floats, only: int) -> int:
    """The actor's action in ``board[KNOWN]`` with the highest value; ``work.best`` is the position after it.

    If ``only`` is not NONE, the action with this index is taken, whatever its value.
    """
    board = work.board
    seat = board[KNOWN].actor
    chosen = NONE
    promise = NO_PROMISE
    begin(work.before, weights, work.layer)
    for index in range(legal_actions(board[KNOWN], work.options)):
        if only >= 0 and only != index:
            continue
        action = work.options.codes[index]
        board[TRIED] = board[KNOWN]
        apply(board[TRIED], seat, action)
        describe(board[TRIED], seat, work.numbers)
        evaluate_next(work.numbers, work.before, weights, work.layer)
        here = worth(work.layer, board[KNOWN].is_solo)
        if here > promise:
            promise = here
            chosen = action
            for number in range(END):
                work.best[number] = work.numbers[number]
    return chosen


def tried_index(work: Workspace, one_in: int, high: int, low: int) -> int:
    """The index of a random action, once in ``one_in`` decisions; NONE otherwise."""
    decision = work.board[KNOWN].decisions << 8
    if one_in == 0 or keyed_choice(high, low, DARING + decision, one_in) > 0:
        return NONE
    return keyed_choice(high, low, CHOICES + decision, legal_actions(work.board[KNOWN], work.options))


def decide(
    work: Workspace, samples: Samples, index: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Take the small decision with the highest value in ``board[GAME]``; return where the samples end."""
    seat = work.board[GAME].actor
    work.board[KNOWN] = work.board[GAME]
    conceal(work.board[KNOWN], seat)
    only = tried_index(work, plan.one_in, high, low)
    action = weighed_action(work, weights, only)
    evaluate(work.best, weights, work.layer)
    write_sample(samples[index], work.best, work.layer[WIN_AT], work.layer[SCORE_AT])
    samples[index].owner = seat if only == NONE else seat + TRIED_BY
    apply(work.board[GAME], seat, action)
    return index + 1


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
        witness = NONE
        if seat == CHANCE:
            apply(state, seat, draw_chance(state, high, low))
        else:
            index = decide(work, samples, index, weights, plan, own_high, own_low)
            witness = (seat + 1 + index % (state.seats - 1)) % state.seats
        begins = state.round_number != this_round
        this_round = state.round_number
        if state.actor != NOBODY and (begins or (witness != NONE and state.actor != seat)):
            for viewer in range(scoring_seats(state)):
                if begins or viewer == witness:
                    evaluate_for(work, GAME, viewer, weights)
                    write_sample(samples[index], work.numbers, work.layer[WIN_AT], work.layer[SCORE_AT])
                    samples[index].owner = viewer
                    index += 1
    return index


def write_sample(sample: Sample, seen: Floats, win: float, score: float) -> None:
    sample.targets[0] = win
    sample.targets[1] = score
    for number in range(INPUTS):
        sample.inputs[number] = seen[SCRATCH + number]


def look_back(state: State, samples: Samples, first: int, end: int, trust: float) -> None:
    """Turn the expectations after decisions into targets: TD(lambda), with ``trust`` as lambda.

    Each seat's expectation is drawn towards its next one, and through it towards the result.
    """
    for seat in range(scoring_seats(state)):
        win = share_of(state, seat)
        score = state.players[seat].score / SCORE_SCALE
        is_cut = False
        for index in range(end - 1, first - 1, -1):
            owner = samples[index].owner
            if owner != SETTLED and owner % TRIED_BY == seat:
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
                is_cut = owner >= TRIED_BY


def learn_from_games(
    work: Workspace, samples: Samples, room: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Play the games of a plan and write samples; return how many.

    It stops early when a game might need more than the ``room`` that is left.
    """
    end = 0
    for number in range(plan.first, plan.first + plan.games):
        if end + plan.longest > room:
            return end
        game_high, game_low = numbered_key(high, low, number)
        choose_sides(work.sides, game_high, game_low)
        work.board[GAME] = work.board[BLANK]
        set_up(work.board[GAME], plan.players, work.sides, number % plan.players)
        first = end
        end = play_and_sample(work, samples, first, weights, plan, game_high, game_low)
        look_back(work.board[GAME], samples, first, end, plan.trust)
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
            action = weighed_action(work, weights, NONE)
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
                won += share_of(work.board[GAME], own)
    return won / (deals * players)
