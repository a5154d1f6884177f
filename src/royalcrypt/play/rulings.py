"""Whether an action is allowed, and if not, why, and what would be: the edge at which input is checked."""

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
from royalcrypt.rules.actions import DONE, FLIP, flip, placement
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
    """The rules do not allow it now; the game is as it was."""


def legal_codes(state: State, seat: int) -> list[int]:
    """The small decisions open to a seat: its own, or out of turn what may be done at any time (R9.1)."""
    options: Options = no_options()
    is_actor = seat == state.actor
    count = legal_actions(state, options) if is_actor else list_any_time(state, seat, options, 0)
    return list(islice(options.codes, count))


def codes_out_of_turn(state: State) -> list[list[int]]:
    """By seat, what ``legal_codes`` gives while another seat decides."""
    seats = range(scoring_seats(state))
    if not is_between_actions(state):
        return [[] for _ in seats]
    options = no_options()
    return [list(islice(options.codes, list_any_time(state, seat, options, 0))) for seat in seats]


def verbs_open(codes: list[int]) -> list[Verb]:
    """The kinds of action among some small decisions, in the order of the notation."""
    found = {verb_of(code)[0] for code in codes}
    return [verb for verb in Verb if verb in found]


def carry_out(state: State, seat: int, action: Action) -> Iterator[int]:
    """Apply one whole action; yield each small decision once it is made. A refusal may come half-way."""
    rule_on(state, seat, action)
    for code in _opening(action):
        apply(state, seat, code)
        yield code
    if action.verb is Verb.CLAIM and has_begun_claim(state):
        apply(state, seat, DONE)
        yield DONE
    if action.verb in ERRANDS:
        yield from _pay(state, seat, action)


def _opening(action: Action) -> list[int]:
    if action.verb is Verb.CLAIM:
        return [placement(place.slot, place.dice, place.effort) for place in action.place]
    return [opening_code(action)]


def _pay(state: State, seat: int, action: Action) -> Iterator[int]:
    """Flip the cards that were named; unnamed ones only where there is no choice."""
    for number in range(price(action.verb)):
        choices = legal_codes(state, seat)
        letter = letter_paid(action.verb)
        if action.flip:
            code = flip(action.flip[number])
        elif len(choices) == 1:
            code = choices[0]
        else:
            raise IllegalAction(Reason.CHOOSE_FLIPS, verb=action.verb, cards=_cards(choices, letter))
        if code not in choices:
            raise IllegalAction(
                Reason.CANNOT_FLIP, card=letter + str(code - FLIP + 1), cards=_cards(choices, letter)
            )
        apply(state, seat, code)
        yield code


def _cards(choices: list[int], letter: str) -> str:
    return ", ".join(letter + str(code - FLIP + 1) for code in choices)


def rule_on(state: State, seat: int, action: Action) -> None:
    """Raise IllegalAction unless the action may begin."""
    if state.phase == phases.OVER:
        raise IllegalAction(Reason.GAME_OVER)
    if not 0 <= seat < scoring_seats(state):
        raise IllegalAction(Reason.WRONG_SEAT, seat=seat + 1, seats=scoring_seats(state))
    if not is_whole(action):
        raise IllegalAction(Reason.NOT_A_MOVE, text=action.verb)
    if seat != state.actor and not (action.verb in ANY_TIME_VERBS and is_between_actions(state)):
        raise IllegalAction(Reason.NOT_YOUR_TURN, seat=seat + 1, actor=state.actor + 1)
    if action.verb is Verb.CLAIM and state.phase == phases.CLAIM:
        _rule_on_claim(state, seat, action)
        return
    if action.verb in ERRANDS:
        _rule_on_reward(state, seat, action)
    open_now = legal_codes(state, seat)
    if action.verb is Verb.CLAIM or opening_code(action) not in open_now:
        raise IllegalAction(Reason.NOT_NOW, verb=action.verb, legal=", ".join(verbs_open(open_now)))


def _rule_on_claim(state: State, seat: int, action: Action) -> None:
    ready = state.players[seat].ready
    if ready == 0:
        raise IllegalAction(Reason.NO_READY_DICE, exhausted=state.players[seat].exhausted)
    for place in action.place:
        _rule_on_placement(state, seat, place)
    slots = [place.slot for place in action.place]
    for slot in slots:
        if slots.count(slot) > 1:
            raise IllegalAction(Reason.CARD_TWICE, card=slot + 1)
    wanted = sum(place.dice for place in action.place)
    if wanted > ready:
        raise IllegalAction(Reason.TOO_FEW_DICE, wanted=wanted, ready=ready)
    if is_last_turn(state) and len(slots) > 1:
        raise IllegalAction(Reason.ONE_CARD_ONLY, cards=len(slots))


def _rule_on_placement(state: State, seat: int, place: Placement) -> None:
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


def _rule_on_reward(state: State, seat: int, action: Action) -> None:
    """What a Collector asks for, beyond its time (section 8)."""
    errand = ERRANDS[action.verb]
    card_type = PAID_IN[errand]
    if not is_offered(state, errand):
        raise IllegalAction(
            Reason.WRONG_SIDE,
            verb=action.verb,
            collector=TYPE_NAMES[card_type],
            side=SIDES[OFFERED_ON[errand]],
        )
    unflipped = state.players[seat].unflipped[card_type]
    if unflipped < price(action.verb):
        raise IllegalAction(
            Reason.TOO_FEW_TO_FLIP,
            verb=action.verb,
            collector=TYPE_NAMES[card_type],
            needed=price(action.verb),
            unflipped=unflipped,
        )
    if card_type == Type.MANUSCRIPT and state.players[seat].has_peeked:
        raise IllegalAction(Reason.ALREADY_PEEKED)
    if card_type == Type.REMAINS and state.players[seat].exhausted == 0:
        raise IllegalAction(Reason.NOBODY_EXHAUSTED)
    if card_type in (Type.MANUSCRIPT, Type.POTTERY) and not any_face_down(state):
        raise IllegalAction(Reason.NOTHING_FACE_DOWN, verb=action.verb)
    if action.slot is not None:
        _rule_on_slot(state, seat, action, action.slot)


def _rule_on_slot(state: State, seat: int, action: Action, slot: int) -> None:
    if not 0 <= slot < row_length(state):
        raise IllegalAction(Reason.NO_SUCH_CARD, card=slot + 1, cards=row_length(state))
    if action.verb is Verb.TAKE and state.phase == phases.POTTERY and not lies_face_down(state, slot):
        raise IllegalAction(Reason.NOT_FACE_DOWN, card=slot + 1)
    if action.verb is Verb.REROLL and state.phase == phases.IDOL and failed_on(state, seat, slot) == 0:
        raise IllegalAction(Reason.NO_FAILED_DIE, card=slot + 1)
