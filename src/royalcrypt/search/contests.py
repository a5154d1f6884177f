"""Games between teams of players who go by values, each team by its own."""

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, Ints, Options, State
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Board
from royalcrypt.search.floats import Floats, Tables
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


def play_by_value(
    board: Board,
    options: Options,
    teams: Tables,
    team_of: Ints,
    numbers: Floats,
    best: Floats,
    layer: Floats,
    high: int,
    low: int,
) -> None:
    """Play ``board[PLAYED]`` to its end, each seat by the weights of its team."""
    while board[PLAYED].actor != NOBODY:
        seat = board[PLAYED].actor
        if seat == CHANCE:
            action = draw_chance(board[PLAYED], high, low)
        else:
            board[KNOWN] = board[PLAYED]
            conceal(board[KNOWN], seat)
            action = weighed_action(board, options, numbers, best, teams[team_of[seat]], layer, NONE)
        apply(board[PLAYED], seat, action)


def compete(
    board: Board,
    options: Options,
    teams: Tables,
    team_of: Ints,
    numbers: Floats,
    best: Floats,
    layer: Floats,
    sides: Ints,
    first: int,
    deals: int,
    players: int,
    high: int,
    low: int,
) -> float:
    """The first team's share of the wins: it has one seat, each once a deal; the second the others."""
    won = 0.0
    for deal in range(deals):
        game_high, game_low = numbered_key(high, low, first + deal)
        choose_sides(sides, game_high, game_low)
        for own in range(players):
            for seat in range(players):
                team_of[seat] = 0 if seat == own else 1
            board[PLAYED] = board[BLANK]
            set_up(board[PLAYED], players, sides, 0)
            play_by_value(board, options, teams, team_of, numbers, best, layer, game_high, game_low)
            won += share_of(board[PLAYED], own)
    return won / (deals * players)
