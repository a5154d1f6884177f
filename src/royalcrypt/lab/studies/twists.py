"""The one thing that is otherwise in a counterfactual game; compiled as part of the kernel."""

from royalcrypt.lab.studies.scripts import ROBBED, Script, Tale
from royalcrypt.rules import phases
from royalcrypt.rules.actions import DONE, RECOVER
from royalcrypt.rules.cards import DISCARDED, IDOL, kind_of
from royalcrypt.rules.claims import has_begun_claim
from royalcrypt.rules.layout import NOBODY, NONE, State
from royalcrypt.rules.scoring import score_game
from royalcrypt.rules.turns import is_claiming
from royalcrypt.search.backend import Floats
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT
from royalcrypt.search.rollouts import evaluate_for_viewer, win_share
from royalcrypt.search.workspace import PLAYED, Candidates, Workspace


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
            if best == NONE or found[index].value > found[best].value:
                best = index
    return best


def turn_round(found: Candidates, count: int, would_recover: bool, tale: Tale) -> bool:
    """Put the other choice first, and tell what both value; whether there is one."""
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
    """Of the card taken at this index its owner has nothing any more, nor of a race it won (R8.1B)."""
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


def rob_and_tell(work: Workspace, index: int, tale: Tale, weights: Floats) -> None:
    """Take the card away, and tell what its owner expected before and expects after it."""
    board = work.board
    layer = work.layer
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
            evaluate_for_viewer(work, PLAYED, seat, weights)
        if look == 0:
            tale.win_before = layer[WIN_AT]
            tale.score_before = layer[SCORE_AT] * SCORE_SCALE
        else:
            tale.win_after = layer[WIN_AT]
            tale.score_after = layer[SCORE_AT] * SCORE_SCALE
    tale.held = board[PLAYED].players[seat].held[board[PLAYED].card_type[card]]


def settle(state: State, seat: int, is_anew: bool) -> tuple[float, float]:
    """The seat's part of the win, and of ``SCORE_SCALE``; counted anew, a tie is shared, not rolled for."""
    if is_anew:
        score_game(state)
        state.actor = NOBODY
    return win_share(state, seat), state.players[seat].score / SCORE_SCALE


def is_due(state: State, script: Script, tale: Tale) -> bool:
    """Whether the card that is to be taken away was taken, and its round is over."""
    return (
        script.twist == ROBBED
        and tale.is_twisted == 0
        and state.takings > script.moment
        and (state.actor == NOBODY or (state.phase == phases.REVEAL and state.chance_index == 0))
    )
