"""Whole games by script, in machine code: strong players, light ones, and one twist a game."""

from royalcrypt.lab.strong_play import strong_action
from royalcrypt.lab.studies.scripts import BARRED, OTHERWISE, Script, Scripts, Tale, Tales, Turns
from royalcrypt.lab.studies.twists import has_choice, is_due, rob_and_tell, tell_moment, turn_round
from royalcrypt.lab.studies.watching import begin_step, end_round, end_tale, watch
from royalcrypt.rules.actions import DONE, RECOVER
from royalcrypt.rules.chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SLOTS, TYPES, Ints
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.search.backend import Floats
from royalcrypt.search.light_play import light_action
from royalcrypt.search.workspace import BLANK, PLAYED, Candidates, Workspace

ALL_ACTIONS = 600
"""Whole actions are at most about so many; of more, the worst go unnoticed. There is room for one more."""
NEVER = -1000
"""Unflipped cards of somebody who can never pay."""


def play_script(
    work: Workspace,
    found: Candidates,
    weights: Floats,
    script: Script,
    tale: Tale,
    turns: Turns,
    written: int,
    has_turns: bool,
    game: int,
    row: Ints,
    high: int,
    low: int,
) -> int:
    """Play ``board[PLAYED]`` to its end; return how many turns are written."""
    board = work.board
    step = 0
    found[0].steps = 0
    while board[PLAYED].actor != NOBODY:
        seat = board[PLAYED].actor
        this_round = board[PLAYED].round_number
        begin_step(board[PLAYED], row)
        if seat == CHANCE:
            action = draw_chance(board[PLAYED], high, low)
        elif (script.lights >> seat) & 1:
            action = light_action(board[PLAYED], work.options, high, low)
        else:
            if step == found[0].steps:
                step = 0
                choose(work, found, weights, script, tale)
            action = found[0].codes[step]
            step += 1
        apply(board[PLAYED], seat, action)
        written = watch(board[PLAYED], game, turns, written, has_turns, row, tale)
        if board[PLAYED].round_number != this_round or board[PLAYED].actor == NOBODY:
            end_round(board[PLAYED], turns, row)
        if is_due(board[PLAYED], script, tale):
            rob_and_tell(work, script.moment, tale, weights)
    return written


def choose(
    work: Workspace,
    found: Candidates,
    weights: Floats,
    script: Script,
    tale: Tale,
) -> None:
    """Make what the actor does the first of ``found``."""
    board = work.board
    seat = board[PLAYED].actor
    if script.twist == BARRED:  # To all who judge, these cards are spent.
        board[PLAYED].players[script.seat].unflipped[script.card_type] = 0
    most = 1
    for look in range(2):  # One call of a long piece of machine code, for both looks.
        count = strong_action(work, found, most, weights)
        if look == 1:
            if turn_round(found, count, found[ALL_ACTIONS].codes[0] == RECOVER, tale):
                tell_moment(board[PLAYED], seat, tale)
            else:
                found[0] = found[ALL_ACTIONS]
            break
        code = found[0].codes[0]
        if not has_choice(board[PLAYED]) or (code != RECOVER and code >= DONE):
            break
        tale.choices += 1
        if script.twist != OTHERWISE or tale.choices != script.moment + 1:
            break
        found[ALL_ACTIONS] = found[0]
        most = ALL_ACTIONS
    if script.twist == BARRED:
        board[PLAYED].players[script.seat].unflipped[script.card_type] = NEVER


def play_scripts(
    work: Workspace,
    found: Candidates,
    weights: Floats,
    scripts: Scripts,
    games: int,
    tales: Tales,
    turns: Turns,
    has_turns: bool,
    row: Ints,
    high: int,
    low: int,
) -> int:
    """Play so many scripts and tell of each; return how many turns were written down, if they were to be."""
    board = work.board
    written = 0
    for game in range(games):
        script = scripts[game]
        game_high, game_low = numbered_key(high, low, script.number)
        board[PLAYED] = board[BLANK]
        for card_type in range(TYPES):
            work.sides[card_type] = script.sides[card_type]
        set_up(board[PLAYED], script.players, work.sides, script.leader)
        if script.twist == BARRED:
            board[PLAYED].players[script.seat].unflipped[script.card_type] = NEVER
        for position in range(SLOTS):
            row[position] = NONE
        written = play_script(
            work, found, weights, script, tales[game], turns, written, has_turns, game, row, game_high,
            game_low,
        )  # fmt: skip
        end_tale(board[PLAYED], tales[game])
    return written
