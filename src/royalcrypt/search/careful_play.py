"""Players who compare their candidates by playing the round out, and what the value network learns from them.

What came of its tries is what should have been expected after each candidate, also of those not taken. So
the network learns to see at a glance what had to be tried out.
"""

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, game_key, keyed_choice, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, Ints, Options
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import Candidates, list_candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats, Tables
from royalcrypt.search.random_play import CHOICES, bots_seed
from royalcrypt.search.replies import REMEMBERED, Replies
from royalcrypt.search.rollouts import ROLLOUT_BOARD, ROOT, compare
from royalcrypt.search.self_play import (
    DARING,
    SETTLED,
    TRIED_BY,
    look_back,
    note_by_others,
    take_note,
    witness_of,
    write_note,
)
from royalcrypt.search.valuing import BLANK, KNOWN, NO_PROMISE, TRIED, worth_of

GAME = ROLLOUT_BOARD
"""The state of a board that the game is in."""
CAREFUL_BOARD = GAME + 1
CANDIDATES, TRIES = 6, 12
"""Of each decision, and of each candidate."""
PRIOR = 3
"""So many tries does the network's own expectation count for."""
LONGEST_CAREFUL_GAME = 1500
"""Notes."""


def note_candidates(
    board: Board,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    note: int,
    found: Candidates,
    count: int,
    numbers: Floats,
) -> int:
    """Write down what came of each candidate of ``board[ROOT]``; return which was best."""
    seat = board[ROOT].actor
    best = 0
    most = NO_PROMISE
    for index in range(count):
        one = found[index]
        win = (one.wins + PRIOR * one.win) / (one.tries + PRIOR)
        score = (one.scores + PRIOR * one.score) / (one.tries + PRIOR)
        here = worth_of(win, score, board[ROOT].is_solo)
        if here > most:
            most = here
            best = index
        board[TRIED] = board[ROOT]
        for step in range(one.steps):
            apply(board[TRIED], seat, int(one.codes[step]))
        describe(board[TRIED], seat, numbers)
        write_note(samples, targets, note + index, numbers, win, score)
        owners[note + index] = SETTLED
    return best


def play_carefully_and_note(
    board: Board,
    options: Options,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    first: int,
    found: Candidates,
    replies: Replies,
    begun: Candidates,
    under_way: Candidates,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    layer: Floats,
    one_in: int,
    high: int,
    low: int,
) -> int:
    """Play ``board[GAME]`` to its end and take notes from ``first`` on; return where they end.

    Besides those of the candidates there are the same notes as of any game. Once in so many decisions any of
    the candidates is taken.
    """
    own_high, own_low = game_key(bots_seed(high, low), 0)
    note = first
    this_round = 0
    while board[GAME].actor != NOBODY:
        seat = board[GAME].actor
        witness = seat
        if seat == CHANCE:
            apply(board[GAME], seat, draw_chance(board[GAME], high, low))
        else:
            board[KNOWN] = board[GAME]
            conceal(board[KNOWN], seat)
            board[ROOT] = board[KNOWN]
            decision = board[ROOT].decisions << 8
            count = list_candidates(board, options, begun, found, CANDIDATES, numbers, before, weights, layer)
            chosen = 0
            owner = seat
            if count > 1:
                for index in range(REMEMBERED):
                    replies[index].look = 0
                key_high, key_low = numbered_key(own_high, own_low, decision)
                compare(
                    board, options, found, count, 0, TRIES, replies, begun, under_way, numbers, before,
                    weights, layer, key_high, key_low,
                )  # fmt: skip
                chosen = note_candidates(board, samples, targets, owners, note, found, count, numbers)
                note += count
                if one_in > 0 and keyed_choice(own_high, own_low, DARING + decision, one_in) == 0:
                    best = chosen
                    chosen = keyed_choice(own_high, own_low, CHOICES + decision, count)
                    owner = seat if chosen == best else seat + TRIED_BY
            for step in range(found[chosen].steps):
                apply(board[ROOT], seat, int(found[chosen].codes[step]))
                describe(board[ROOT], seat, numbers)
                take_note(samples, targets, note, weights, numbers, layer)
                owners[note] = owner
                owner = seat
                note += 1
                apply(board[GAME], seat, int(found[chosen].codes[step]))
            witness = witness_of(board[GAME], seat, note)
        begins = board[GAME].round_number != this_round
        this_round = board[GAME].round_number
        if begins or (seat != CHANCE and board[GAME].actor != seat):
            note = note_by_others(
                board, GAME, begins, witness, samples, targets, owners, note, weights, numbers, layer
            )
    return note


def learn_from_careful_games(
    board: Board,
    options: Options,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    room: int,
    found: Candidates,
    replies: Replies,
    begun: Candidates,
    under_way: Candidates,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    layer: Floats,
    sides: Ints,
    first: int,
    games: int,
    players: int,
    one_in: int,
    trust: float,
    high: int,
    low: int,
) -> int:
    """Play games from ``first`` on and note what can be learned; return the number of notes."""
    end = 0
    for game in range(games):
        if end + LONGEST_CAREFUL_GAME > room:
            return end
        number = first + game
        game_high, game_low = numbered_key(high, low, number)
        choose_sides(sides, game_high, game_low)
        board[GAME] = board[BLANK]
        set_up(board[GAME], players, sides, number % players)
        begin = end
        end = play_carefully_and_note(
            board, options, samples, targets, owners, begin, found, replies, begun, under_way, weights,
            numbers, before, layer, one_in, game_high, game_low,
        )  # fmt: skip
        look_back(board[GAME], targets, owners, begin, end, trust)
    return end
