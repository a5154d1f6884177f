"""Validation of actions: whether one is allowed, and otherwise the reason and what would be legal."""

from collections.abc import Iterator
from itertools import islice

from royalcrypt.notation.cards import SIDES, TYPE_NAMES
from royalcrypt.notation.moves import (
    ERRANDS,
    Action,
    Placement,
    Verb,
    is_whole,
    letter_paid,
    opening_code,
    price,
    verb_of,
)
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules import phases
from royalcrypt.rules.actions import DONE, flip, flipped_value, placement
from royalcrypt.rules.cards import Type
from royalcrypt.rules.catalogue import ANY_TIME, OFFERED_ON, PAID_IN, WHEN
from royalcrypt.rules.claims import has_begun_claim, is_last_turn, least_total, total_effort
from royalcrypt.rules.collectors import any_face_down, failed_on, is_offered, lies_face_down
from royalcrypt.rules.layout import FACES, NONE, SERVANTS, Options, State, no_options
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply, is_between_actions, legal_actions, list_any_time

ANY_TIME_VERBS = tuple(verb for verb, errand in ERRANDS.items() if WHEN[errand] == ANY_TIME)


class IllegalAction(Refusal):
    """The rules do not allow the action now; the game did not change."""


def legal_codes(state: State, seat: int) -> list[int]:
    """The legal small decisions of a seat; out of turn, its any-time actions (R9.1)."""
    options: Options = no_options()
    is_actor = seat == state.actor
    count = legal_actions(state, options) if is_actor else list_any_time(state, seat, options, 0)
    return list(islice(options.codes, count))


def codes_out_of_turn(state: State) -> list[tuple[int, ...]]:
    """The results of ``legal_codes`` by seat while another seat decides."""
    seats = range(scoring_seats(state))
    if not is_between_actions(state):
        return [()] * len(seats)
    options = no_options()
    return [tuple(islice(options.codes, list_any_time(state, seat, options, 0))) for seat in seats]


def carry_out(state: State, seat: int, action: Action) -> Iterator[int]:
    """Apply one whole action; yield each small decision after it is applied. May raise a refusal half-way."""
    check_action(state, seat, action)
    codes = [placement(place.slot, place.dice, place.effort) for place in action.place]
    for code in codes or [opening_code(action)]:
        apply(state, seat, code)
        yield code
    if action.verb is Verb.CLAIM and has_begun_claim(state):
        apply(state, seat, DONE)
        yield DONE
    if action.verb in ERRANDS:
        yield from _pay(state, seat, action)


def _pay(state: State, seat: int, action: Action) -> Iterator[int]:
    """Flip the cards that the action names; unnamed ones only if there is no choice."""
    letter = letter_paid(action.verb)
    for number in range(price(action.verb)):
        choices = legal_codes(state, seat)
        cards = {code: f"{letter}{flipped_value(code)}" for code in choices}
        code = flip(action.flip[number]) if action.flip else choices[0]
        if not action.flip and len(choices) > 1:
            raise IllegalAction(Reason.CHOOSE_FLIPS, verb=action.verb, cards=", ".join(cards.values()))
        if code not in choices:
            card = f"{letter}{flipped_value(code)}"
            raise IllegalAction(Reason.CANNOT_FLIP, card=card, cards=", ".join(cards.values()))
        apply(state, seat, code)
        yield code


def check_action(state: State, seat: int, action: Action) -> None:
    """Raise IllegalAction unless the action may begin now."""
    if state.phase == phases.OVER:
        raise IllegalAction(Reason.GAME_OVER)
    if not 0 <= seat < scoring_seats(state):
        raise IllegalAction(Reason.WRONG_SEAT, seat=seat + 1, seats=scoring_seats(state))
    if not is_whole(action):
        raise IllegalAction(Reason.NOT_A_MOVE, text=action.verb)
    if seat != state.actor and not (action.verb in ANY_TIME_VERBS and is_between_actions(state)):
        raise IllegalAction(Reason.NOT_YOUR_TURN, seat=seat + 1, actor=state.actor + 1)
    if action.verb is Verb.CLAIM and state.phase == phases.CLAIM:
        _check_claim(state, seat, action)
        return
    if action.verb in ERRANDS:
        _check_reward(state, seat, action)
    open_now = legal_codes(state, seat)
    if action.verb is Verb.CLAIM or opening_code(action) not in open_now:
        verbs = {verb_of(code)[0] for code in open_now}
        legal = ", ".join(verb for verb in Verb if verb in verbs)
        raise IllegalAction(Reason.NOT_NOW, verb=action.verb, legal=legal)


def _check_claim(state: State, seat: int, action: Action) -> None:
    ready = state.players[seat].ready
    if ready == 0:
        raise IllegalAction(Reason.NO_READY_DICE, exhausted=state.players[seat].exhausted)
    for place in action.place:
        _check_placement(state, seat, place)
    slots = [place.slot for place in action.place]
    for slot in slots:
        if slots.count(slot) > 1:
            raise IllegalAction(Reason.CARD_TWICE, card=slot + 1)
    wanted = sum(place.dice for place in action.place)
    if wanted > ready:
        raise IllegalAction(Reason.TOO_FEW_DICE, wanted=wanted, ready=ready)
    if is_last_turn(state) and len(slots) > 1:
        raise IllegalAction(Reason.ONE_CARD_ONLY, cards=len(slots))


def _check_placement(state: State, seat: int, place: Placement) -> None:
    card = place.slot + 1
    if not 0 <= place.slot < row_length(state):
        raise IllegalAction(Reason.NO_SUCH_CARD, card=card, cards=row_length(state))
    if state.slots[place.slot].card == NONE:
        raise IllegalAction(Reason.CARD_GONE, card=card)
    if not 1 <= place.effort <= FACES:
        raise IllegalAction(Reason.WRONG_EFFORT, effort=place.effort)
    if not 1 <= place.dice <= SERVANTS:
        raise IllegalAction(Reason.WRONG_DICE, dice=place.dice)
    if state.slots[place.slot].holder == seat:
        raise IllegalAction(Reason.OWN_CARD, card=card)
    needed = least_total(state, seat, place.slot)
    if place.total < needed:
        held = total_effort(state, place.slot)
        if needed > FACES * state.players[seat].ready:
            raise IllegalAction(Reason.CANNOT_PUSH_OUT, card=card, held=held, ready=state.players[seat].ready)
        raise IllegalAction(Reason.EFFORT_TOO_LOW, card=card, held=held, needed=needed, total=place.total)


def _check_reward(state: State, seat: int, action: Action) -> None:
    """Check the requirements of a Collector's reward apart from its time (section 8)."""
    errand, verb, player = ERRANDS[action.verb], action.verb, state.players[seat]
    card_type, needed = PAID_IN[errand], price(action.verb)
    collector, unflipped = TYPE_NAMES[card_type], player.unflipped[card_type]
    if not is_offered(state, errand):
        raise IllegalAction(Reason.WRONG_SIDE, verb=verb, collector=collector, side=SIDES[OFFERED_ON[errand]])
    if unflipped < needed:
        details = {"verb": verb, "collector": collector, "needed": needed, "unflipped": unflipped}
        raise IllegalAction(Reason.TOO_FEW_TO_FLIP, **details)
    if card_type == Type.MANUSCRIPT and player.has_peeked:
        raise IllegalAction(Reason.ALREADY_PEEKED)
    if card_type == Type.REMAINS and player.exhausted == 0:
        raise IllegalAction(Reason.NOBODY_EXHAUSTED)
    if card_type in (Type.MANUSCRIPT, Type.POTTERY) and not any_face_down(state):
        raise IllegalAction(Reason.NOTHING_FACE_DOWN, verb=verb)
    if action.slot is not None:
        _check_slot(state, seat, verb, action.slot)


def _check_slot(state: State, seat: int, verb: Verb, slot: int) -> None:
    if not 0 <= slot < row_length(state):
        raise IllegalAction(Reason.NO_SUCH_CARD, card=slot + 1, cards=row_length(state))
    if verb is Verb.TAKE and state.phase == phases.POTTERY and not lies_face_down(state, slot):
        raise IllegalAction(Reason.NOT_FACE_DOWN, card=slot + 1)
    if verb is Verb.REROLL and state.phase == phases.IDOL and failed_on(state, seat, slot) == 0:
        raise IllegalAction(Reason.NO_FAILED_DIE, card=slot + 1)
