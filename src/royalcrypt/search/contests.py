"""Games of one who goes by values against light players: a yardstick that stays as it is while it learns."""

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, Ints, Options, State
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Board
from royalcrypt.search.floats import Floats
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import SCORE_SCALE
from royalcrypt.search.valuing import BLANK, KNOWN, PLAYED, weighed_action

MAGNIFICENT = 50
"""Coins; alone, that is to win (R10.7)."""


def share_of(state: State, seat: int) -> float:
    """Of the win (R7.3)."""
    if state.is_solo:
        return 1.0 if state.players[seat].score >= MAGNIFICENT else 0.0
    winners = 0
    for other in range(scoring_seats(state)):
        winners += state.players[other].is_contender
    return state.players[seat].is_contender / winners


def play_against_light(
    board: Board,
    options: Options,
    own: int,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    best: Floats,
    layer: Floats,
    high: int,
    low: int,
) -> None:
    """Play ``board[PLAYED]`` to its end: one seat by the weights, the others lightly."""
    while board[PLAYED].actor != NOBODY:
        seat = board[PLAYED].actor
        if seat == CHANCE:
            action = draw_chance(board[PLAYED], high, low)
        elif seat == own:
            board[KNOWN] = board[PLAYED]
            conceal(board[KNOWN], seat)
            action = weighed_action(board, options, numbers, before, best, weights, layer, NONE)
        else:
            action = light_action(board[PLAYED], options, high, low)
        apply(board[PLAYED], seat, action)


def compete(
    board: Board,
    options: Options,
    weights: Floats,
    numbers: Floats,
    before: Floats,
    best: Floats,
    layer: Floats,
    sides: Ints,
    first: int,
    deals: int,
    players: int,
    high: int,
    low: int,
) -> float:
    """The share of the wins of one player who goes by the weights, in each seat once a deal.

    Alone, the mean score as a part of ``SCORE_SCALE``.
    """
    won = 0.0
    for deal in range(deals):
        game_high, game_low = numbered_key(high, low, first + deal)
        choose_sides(sides, game_high, game_low)
        for own in range(players):
            board[PLAYED] = board[BLANK]
            set_up(board[PLAYED], players, sides, 0)
            play_against_light(
                board, options, own, weights, numbers, before, best, layer, game_high, game_low
            )
            if players == 1:
                won += board[PLAYED].players[0].score / SCORE_SCALE
            else:
                won += share_of(board[PLAYED], own)
    return won / (deals * players)
