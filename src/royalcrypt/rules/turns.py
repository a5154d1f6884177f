"""Legal actions, and ``apply``, which carries out a decision and advances to the next one."""

from royalcrypt.rules import phases
from royalcrypt.rules.actions import DECLINE, DONE, FLIP, MEND, PEEK, RECOVER, REROLL, TAKE, reroll, take
from royalcrypt.rules.claims import (
    count_placements,
    end_claim,
    has_begun_claim,
    list_claims,
    place,
    placement_at,
    recover,
    turn_seat,
    turns_in_round,
)
from royalcrypt.rules.collect import (
    begin_collect,
    find_next_die,
    offer_rerolls,
    reroll_servant,
    return_rolled_dice,
    roll_servant,
)
from royalcrypt.rules.collectors import (
    begin_errand,
    can_mend,
    can_peek,
    can_take,
    failed_on,
    lies_face_down,
    list_flips,
    pay_flip,
    run_idol_race,
)
from royalcrypt.rules.ghost import begin_ghost_turn, roll_for_ghost
from royalcrypt.rules.layout import CHANCE, GHOST, NOBODY, NONE, Options, State
from royalcrypt.rules.phases import MENDING, NO_ERRAND, PEEKING, REROLLING, TAKING
from royalcrypt.rules.reveal import begin_round, draw_into_row, row_length, seat_at, show_top
from royalcrypt.rules.scoring import find_next_tie_die, roll_for_tie, score_game, scoring_seats


def is_between_actions(state: State) -> bool:
    """Whether any-time actions are possible now, also out of turn (R9.1)."""
    return (
        (state.phase == phases.CLAIM or state.phase == phases.POTTERY)
        and state.errand == NO_ERRAND
        and not has_begun_claim(state)
    )


def is_under_way(state: State, seat: int) -> bool:
    """Whether the seat's action needs further small decisions: pending flips, or an unfinished claim."""
    return state.actor == seat and (state.errand != NO_ERRAND or has_begun_claim(state))


def list_any_time(state: State, seat: int, options: Options, count: int) -> int:
    """Append the seat's any-time actions to ``options``; return the new number of options."""
    if is_between_actions(state) and seat < scoring_seats(state):
        if can_peek(state, seat):
            options.codes[count] = PEEK
            count += 1
        if can_mend(state, seat):
            options.codes[count] = MEND
            count += 1
    return count


def legal_actions(state: State, options: Options) -> int:
    """Write the actor's legal actions, ascending; chance decisions and finished games have none."""
    if state.actor < 0:
        return 0
    if is_claiming(state):
        return list_any_time(state, state.actor, options, list_claims(state, options))
    return list_few(state, options)


def is_claiming(state: State) -> bool:
    """Whether the actor decides on a claim turn, the only decision with many legal actions."""
    return state.phase == phases.CLAIM and state.errand == NO_ERRAND


def list_few(state: State, options: Options) -> int:
    """List the legal actions of any decision except a claim turn."""
    if state.errand != NO_ERRAND:
        return list_flips(state, options)
    if state.phase == phases.POTTERY:
        return list_takes(state, options)
    if state.phase == phases.IDOL:
        return list_rerolls(state, options)
    options.codes[0] = MEND
    options.codes[1] = DECLINE
    return 2


def count_actions(state: State, options: Options) -> int:
    """The number of legal actions of the actor; placements are counted without writing their codes."""
    if not is_claiming(state):
        return list_few(state, options)
    options.weights[0] = count_placements(state, state.actor)
    return options.weights[0] + 1 + list_any_time(state, state.actor, options, 0)


def action_at(state: State, options: Options, index: int) -> int:
    """The action that ``legal_actions`` would list at this index; call ``count_actions`` directly before."""
    if not is_claiming(state):
        return options.codes[index]
    placements = options.weights[0]
    if index < placements:
        return placement_at(state, state.actor, index)
    if index == placements:
        return DONE if has_begun_claim(state) else RECOVER
    return options.codes[index - placements - 1]


def list_takes(state: State, options: Options) -> int:
    count = list_any_time(state, state.actor, options, 0) + 1
    options.codes[count - 1] = DECLINE
    for position in range(row_length(state)):
        if lies_face_down(state, position):
            options.codes[count] = take(position)
            count += 1
    return count


def list_rerolls(state: State, options: Options) -> int:
    options.codes[0] = DECLINE
    count = 1
    for position in range(row_length(state)):
        if failed_on(state, state.actor, position) > 0:
            options.codes[count] = reroll(position)
            count += 1
    return count


def apply(state: State, seat: int, action: int) -> None:
    """Carry out a legal small decision or a chance outcome, and advance to the next decision."""
    state.noted = 0
    if seat == CHANCE:
        apply_chance(state, action)
    else:
        state.decisions += 1
        apply_action(state, seat, action)
    while state.actor == NOBODY and state.phase != phases.OVER:
        proceed(state)


def apply_action(state: State, seat: int, action: int) -> None:
    if action < DONE:
        place(state, action)
    elif action >= FLIP:
        pay_flip(state, action)
    elif action >= REROLL:
        begin_errand(state, seat, REROLLING, action - REROLL)
    elif action >= TAKE:
        begin_errand(state, seat, TAKING, action - TAKE)
    elif action == DONE:
        end_claim(state)
    elif action == RECOVER:
        recover(state)
    elif action == PEEK:
        begin_errand(state, seat, PEEKING, NONE)
    elif action == MEND:
        begin_errand(state, seat, MENDING, NONE)
    elif state.phase == phases.IDOL:
        return_rolled_dice(state, seat)
    else:
        state.order += 1
        state.actor = NOBODY


def apply_chance(state: State, outcome: int) -> None:
    if state.phase == phases.ROLL:
        roll_servant(state, outcome)
    elif state.phase == phases.REVEAL:
        draw_into_row(state, outcome)
    elif state.phase == phases.TOP:
        show_top(state, outcome)
    elif state.phase == phases.GHOST:
        roll_for_ghost(state, outcome)
    elif state.phase == phases.REROLL:
        reroll_servant(state, outcome)
    else:
        roll_for_tie(state, outcome)


def proceed(state: State) -> None:
    """Find the next player to decide in this phase, or continue with the next phase."""
    if state.phase == phases.CLAIM:
        begin_turn(state)
    elif state.phase == phases.ROLL:
        find_next_die(state)
    elif state.phase == phases.IDOL:
        offer_rerolls(state)
    elif state.phase == phases.POTTERY:
        offer_in_turn_order(state, TAKING, phases.CLAIM)
    elif state.phase == phases.COLLECT:
        begin_collect(state)
    elif state.phase == phases.TORCH:
        pass_torch(state)
    elif state.phase == phases.REMAINS:
        offer_in_turn_order(state, MENDING, phases.SCORE)
    elif state.phase == phases.SCORE:
        score_game(state)
    else:
        find_next_tie_die(state)


def offer_in_turn_order(state: State, errand: int, following: int) -> None:
    """Offer Pottery B before the claims (R5.1), or Remains A at the end (R9.2), to players who can pay."""
    while state.order < state.seats:
        seat = seat_at(state, state.order)
        if (errand == TAKING and can_take(state, seat)) or (errand == MENDING and can_mend(state, seat)):
            state.actor = seat
            return
        state.order += 1
    state.phase = following


def begin_turn(state: State) -> None:
    if state.turn == turns_in_round(state):
        state.phase = phases.COLLECT
    elif state.is_solo and turn_seat(state) == GHOST:
        begin_ghost_turn(state)
    else:
        state.actor = turn_seat(state)


def pass_torch(state: State) -> None:
    """Pass the torches, or end the game after the round in which the deck ran out (R7.1)."""
    run_idol_race(state)
    if state.deck == 0:
        state.phase = phases.REMAINS
        state.order = 0
    else:
        state.leader = seat_at(state, 1)
        begin_round(state)
        state.actor = CHANCE
