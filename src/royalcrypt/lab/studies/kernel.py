"""Whole games by script, in machine code: strong players, light ones, and one twist a game."""

from royalcrypt.lab.strong_play import strong_action
from royalcrypt.lab.studies.scripts import (
    BARRED,
    COLLECTED,
    OTHERWISE,
    PUSHED_OUT,
    ROBBED,
    Script,
    Scripts,
    Tale,
    Tales,
    Turn,
    Turns,
)
from royalcrypt.rules import notes, phases
from royalcrypt.rules.actions import DONE, RECOVER, placed_dice, placed_effort
from royalcrypt.rules.cards import DISCARDED, IDOL, MANUSCRIPT, POTTERY, REMAINS, kind_of
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.fast_chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, KINDS, NOBODY, NONE, SLOTS, TYPES, Ints, Options, State
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import bonus, score_game, scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import Candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.contests import share_of
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.light_play import light_action
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.valuing import BLANK, KNOWN, PLAYED

ALL_ACTIONS = 600
"""Whole actions are at most about so many; of more, the worst would go unnoticed. One more is room to keep."""
NEVER = -1000
"""Unflipped cards of somebody who can never pay."""
MOST_TURNS = 160
"""Placements and recoveries of a game, the Ghost's too: four players have at most 8 * 4 * 3."""
OPEN = SLOTS
"""A kernel's row of whole numbers: by slot the turn whose dice lie there, and then what a turn began with."""
READY, EXHAUSTED, ROUND, TURN_NUMBER = range(OPEN, OPEN + 4)
NUMBERS = OPEN + 4
REWARD_NOTES = (
    (notes.REROLLED, IDOL),
    (notes.PEEKED, MANUSCRIPT),
    (notes.TOOK, POTTERY),
    (notes.MENDED, REMAINS),
)


def has_choice(state: State) -> bool:
    """Whether the actor begins a claim turn and could as well recover as claim."""
    player = state.players[state.actor]
    return is_claiming(state) and not has_begun_claim(state) and player.ready > 0 and player.exhausted > 0


def best_of(found: Candidates, count: int, recovers: bool) -> int:
    """Of the candidates that recover, or of those that claim; NONE if there is none."""
    best = NONE
    for index in range(count):
        code = found[index].codes[0]
        if code == RECOVER if recovers else code < DONE:
            if best == NONE or found[index].promise > found[best].promise:
                best = index
    return best


def turn_round(found: Candidates, count: int, would_recover: bool, tale: Tale) -> bool:
    """Put the other choice first, and tell what both promise; whether there is one."""
    recovery = best_of(found, count, True)
    claim = best_of(found, count, False)
    if recovery == NONE or claim == NONE:
        return False
    tale.is_twisted = 1
    tale.would_recover = int(would_recover)
    tale.win_before = found[recovery].win
    tale.score_before = found[recovery].score * SCORE_SCALE
    tale.win_after = found[claim].win
    tale.score_after = found[claim].score * SCORE_SCALE
    other = claim if would_recover else recovery
    found[0] = found[other]
    return True


def tell_moment(state: State, seat: int, tale: Tale) -> None:
    tale.seat = seat
    tale.round_number = state.round_number
    tale.ready = state.players[seat].ready
    tale.exhausted = state.players[seat].exhausted


def rob(state: State, index: int) -> None:
    """Of the card that was taken as this one, its owner has nothing any more, nor of a race it won (R8.1B)."""
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


def rob_and_tell(
    board: Board, index: int, tale: Tale, numbers: Floats, weights: Floats, layer: Floats
) -> None:
    """Take the card away, and tell what its owner expected before and expects after it."""
    card = board[PLAYED].taken[index]
    seat = board[PLAYED].card_place[card]
    tale.is_twisted = 1
    tale.card_kind = kind_of(board[PLAYED].card_type[card], board[PLAYED].card_value[card])
    tell_moment(board[PLAYED], seat, tale)
    is_over = board[PLAYED].actor == NOBODY
    for look in range(2):
        if look == 1:
            rob(board[PLAYED], index)
        if is_over:
            layer[WIN_AT], layer[SCORE_AT] = settle(board[PLAYED], seat, look == 1)
        else:
            board[KNOWN] = board[PLAYED]
            conceal(board[KNOWN], seat)
            describe(board[KNOWN], seat, numbers)
            evaluate(numbers, weights, layer)
        if look == 0:
            tale.win_before = layer[WIN_AT]
            tale.score_before = layer[SCORE_AT] * SCORE_SCALE
        else:
            tale.win_after = layer[WIN_AT]
            tale.score_after = layer[SCORE_AT] * SCORE_SCALE
    tale.held = board[PLAYED].players[seat].held[board[PLAYED].card_type[card]]


def settle(state: State, seat: int, is_anew: bool) -> tuple[float, float]:
    """The seat's part of the win and its score, as parts; counted anew, a tie is shared and not rolled for."""
    if is_anew:
        score_game(state)
        state.actor = NOBODY
    return share_of(state, seat), state.players[seat].score / SCORE_SCALE


def watch(state: State, game: int, turns: Turns, written: int, has_turns: bool, row: Ints, tale: Tale) -> int:
    """Write down what the last step brought about; return how many turns are written."""
    for index in range(state.noted):
        what = state.notes[4 * index]
        seat = state.notes[4 * index + 1]
        if what == notes.PLACED and has_turns:
            position = state.notes[4 * index + 2]
            code = state.notes[4 * index + 3]
            card = state.drawn - row_length(state) + position
            turn = begin_turn(turns, written, game, seat, row)
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
        elif what == notes.RECOVERED and has_turns:
            turn = begin_turn(turns, written, game, seat, row)
            turn.dice = state.notes[4 * index + 2]
            written += 1
        for note, card_type in REWARD_NOTES:
            if what == note:
                tale.uses[seat * TYPES + card_type] += 1
    return written


def begin_turn(turns: Turns, index: int, game: int, seat: int, row: Ints) -> Turn:
    turn = turns[index]
    turn.game = game
    turn.seat = seat
    turn.round_number = row[ROUND]
    turn.turn = row[TURN_NUMBER]
    turn.ready = row[READY]
    turn.exhausted = row[EXHAUSTED]
    turn.effort = 0
    turn.dice = 0
    turn.card_type = NONE
    turn.value = 0
    turn.is_down = 0
    turn.pushes = 0
    turn.fate = COLLECTED
    turn.failed = 0
    return turn


def end_round(state: State, turns: Turns, row: Ints) -> None:
    """The slots still tell of the last round's dice until the first card of the next one is drawn."""
    for position in range(SLOTS):
        if row[position] != NONE:
            turns[row[position]].failed = state.slots[position].failed
            row[position] = NONE


def begin_step(state: State, row: Ints) -> None:
    """What a turn that may be taken now begins with."""
    row[ROUND] = state.round_number
    row[TURN_NUMBER] = state.turn
    if state.actor >= 0 and not has_begun_claim(state):
        row[READY] = state.players[state.actor].ready
        row[EXHAUSTED] = state.players[state.actor].exhausted


def end_tale(state: State, tale: Tale) -> None:
    tale.winners = 0
    tale.decisions = state.decisions
    tale.takings = state.takings
    for seat in range(scoring_seats(state)):
        player = state.players[seat]
        tale.scores[seat] = player.score
        tale.dice[seat] = player.ready
        tale.winners |= player.is_contender << seat
        for card_type in range(TYPES):
            tale.bonuses[seat * TYPES + card_type] = bonus(state, seat, card_type)
    for index in range(state.takings):
        card = state.taken[index]
        kind = kind_of(state.card_type[card], state.card_value[card])
        tale.cards[state.card_place[card] * KINDS + kind] += 1


def is_due(state: State, script: Script, tale: Tale) -> bool:
    """Whether the card that is to be taken away was taken, and its round is over."""
    return (
        script.twist == ROBBED
        and tale.is_twisted == 0
        and state.takings > script.moment
        and (state.actor == NOBODY or (state.phase == phases.REVEAL and state.chance_index == 0))
    )


def play_script(
    board: Board,
    options: Options,
    begun: Candidates,
    found: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
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
    step = 0
    found[0].steps = 0
    while board[PLAYED].actor != NOBODY:
        seat = board[PLAYED].actor
        this_round = board[PLAYED].round_number
        begin_step(board[PLAYED], row)
        if seat == CHANCE:
            action = draw_chance(board[PLAYED], high, low)
        elif (script.lights >> seat) & 1:
            action = light_action(board[PLAYED], options, high, low)
        else:
            if step == found[0].steps:
                step = 0
                choose(board, options, begun, found, numbers, before, weights, layer, script, tale)
            action = found[0].codes[step]
            step += 1
        apply(board[PLAYED], seat, action)
        written = watch(board[PLAYED], game, turns, written, has_turns, row, tale)
        if board[PLAYED].round_number != this_round or board[PLAYED].actor == NOBODY:
            end_round(board[PLAYED], turns, row)
        if is_due(board[PLAYED], script, tale):
            rob_and_tell(board, script.moment, tale, numbers, weights, layer)
    return written


def choose(
    board: Board,
    options: Options,
    begun: Candidates,
    found: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
    script: Script,
    tale: Tale,
) -> None:
    """Make what the actor does the first of ``found``."""
    seat = board[PLAYED].actor
    if script.twist == BARRED:  # To all who judge, these cards are spent.
        board[PLAYED].players[script.seat].unflipped[script.card_type] = 0
    most = 1
    for look in range(2):  # One call of a long piece of machine code, for both looks.
        count = strong_action(board, options, begun, found, most, numbers, before, weights, layer)
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
    board: Board,
    options: Options,
    begun: Candidates,
    found: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
    scripts: Scripts,
    games: int,
    tales: Tales,
    turns: Turns,
    has_turns: bool,
    row: Ints,
    sides: Ints,
    high: int,
    low: int,
) -> int:
    """Play so many scripts and tell of each; return how many turns were written down, if they were to be."""
    written = 0
    for game in range(games):
        script = scripts[game]
        game_high, game_low = numbered_key(high, low, script.number)
        board[PLAYED] = board[BLANK]
        for card_type in range(TYPES):
            sides[card_type] = script.sides[card_type]
        set_up(board[PLAYED], script.players, sides, script.leader)
        if script.twist == BARRED:
            board[PLAYED].players[script.seat].unflipped[script.card_type] = NEVER
        for position in range(SLOTS):
            row[position] = NONE
        written = play_script(
            board, options, begun, found, numbers, before, weights, layer, script, tales[game], turns,
            written, has_turns, game, row, game_high, game_low,
        )  # fmt: skip
        end_tale(board[PLAYED], tales[game])
    return written
