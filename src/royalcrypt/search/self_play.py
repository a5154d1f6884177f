"""Players who take what the value network likes best, and what it learns from their games."""

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, game_key, keyed_choice, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, Ints, Options, State
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Board
from royalcrypt.search.contests import share_of
from royalcrypt.search.features import INPUTS, SCRATCH, describe
from royalcrypt.search.floats import Floats, Tables
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.random_play import CHOICES, bots_seed
from royalcrypt.search.valuing import BLANK, KNOWN, PLAYED, weighed_action

LONGEST_GAME = 600
"""Notes; random players have had 170 decisions at most."""
DARING = 1 << 29
"""Addresses of the choice whether to try something."""
TRIED_BY = SEATS
"""Added to the owner of a decision that was tried: what came of it says nothing about those before it."""
SETTLED = NONE
"""Owner of a note whose target does not hang on what follows."""


def tried_index(board: Board, options: Options, one_in: int, high: int, low: int) -> int:
    """Once in so many decisions, any legal action for the sake of learning what it leads to; NONE else."""
    decision = board[KNOWN].decisions << 8
    if one_in == 0 or keyed_choice(high, low, DARING + decision, one_in) > 0:
        return NONE
    return keyed_choice(high, low, CHOICES + decision, legal_actions(board[KNOWN], options))


def play_and_note(
    board: Board,
    options: Options,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    first: int,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    best: Floats,
    layer: Floats,
    one_in: int,
    high: int,
    low: int,
) -> int:
    """Play ``board[PLAYED]`` to its end and take notes from ``first`` on; return where they end.

    Whoever decides notes what they expect then; so does one of the others when a turn has passed, and
    everybody before a round is revealed.
    """
    own_high, own_low = game_key(bots_seed(high, low), 0)
    note = first
    this_round = 0
    while board[PLAYED].actor != NOBODY:
        seat = board[PLAYED].actor
        witness = NONE
        if seat == CHANCE:
            action = draw_chance(board[PLAYED], high, low)
        else:
            board[KNOWN] = board[PLAYED]
            conceal(board[KNOWN], seat)
            only = tried_index(board, options, one_in, own_high, own_low)
            action = weighed_action(board, options, numbers, before, best, weights, layer, only)
            take_note(samples, targets, note, weights, best, layer)
            owners[note] = seat if only == NONE else seat + TRIED_BY
            note += 1
            witness = witness_of(board[PLAYED], seat, note)
        apply(board[PLAYED], seat, action)
        begins = board[PLAYED].round_number != this_round
        this_round = board[PLAYED].round_number
        if begins or (seat != CHANCE and board[PLAYED].actor != seat):
            note = note_by_others(
                board, PLAYED, begins, witness, samples, targets, owners, note, weights, numbers, layer
            )
    return note


def note_by_others(
    board: Board,
    game: int,
    begins: bool,
    witness: int,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    note: int,
    weights: Floats,
    numbers: Floats,
    layer: Floats,
) -> int:
    """What the witness, or before a round everybody, expects in ``board[game]``; return where notes end."""
    if board[game].actor == NOBODY:
        return note
    for viewer in range(scoring_seats(board[game])):
        if begins or viewer == witness:
            board[KNOWN] = board[game]
            conceal(board[KNOWN], viewer)
            describe(board[KNOWN], viewer, numbers)
            take_note(samples, targets, note, weights, numbers, layer)
            owners[note] = viewer
            note += 1
    return note


def witness_of(state: State, seat: int, note: int) -> int:
    """Somebody else than the seat, not always the same."""
    return (seat + 1 + note % (state.seats - 1)) % state.seats


def take_note(
    samples: Tables, targets: Tables, note: int, weights: Floats, seen: Floats, layer: Floats
) -> None:
    evaluate(seen, weights, layer)
    write_note(samples, targets, note, seen, layer[WIN_AT], layer[SCORE_AT])


def write_note(samples: Tables, targets: Tables, note: int, seen: Floats, win: float, score: float) -> None:
    targets[note][0] = win
    targets[note][1] = score
    sample = samples[note]
    for number in range(INPUTS):
        sample[number] = seen[SCRATCH + number]


def look_back(state: State, targets: Tables, owners: Ints, first: int, end: int, trust: float) -> None:
    """Turn what was expected after each decision into what should have been: TD(lambda), with ``trust``.

    Each seat's expectation is drawn towards its next one, and through it towards the end.
    """
    for seat in range(scoring_seats(state)):
        win = share_of(state, seat)
        score = state.players[seat].score / SCORE_SCALE
        is_cut = False
        for note in range(end - 1, first - 1, -1):
            if owners[note] != SETTLED and owners[note] % TRIED_BY == seat:
                target = targets[note]
                expected_win = target[0]
                expected_score = target[1]
                if is_cut:
                    win = expected_win
                    score = expected_score
                target[0] = win
                target[1] = score
                win = (1.0 - trust) * expected_win + trust * win
                score = (1.0 - trust) * expected_score + trust * score
                is_cut = owners[note] >= TRIED_BY


def learn_from_games(
    board: Board,
    options: Options,
    samples: Tables,
    targets: Tables,
    owners: Ints,
    room: int,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    best: Floats,
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
        if end + LONGEST_GAME > room:
            return end
        number = first + game
        game_high, game_low = numbered_key(high, low, number)
        choose_sides(sides, game_high, game_low)
        board[PLAYED] = board[BLANK]
        set_up(board[PLAYED], players, sides, number % players)
        begin = end
        end = play_and_note(
            board, options, samples, targets, owners, begin, weights, numbers, before, best, layer, one_in,
            game_high, game_low,
        )  # fmt: skip
        look_back(board[PLAYED], targets, owners, begin, end, trust)
    return end
