"""All results of the dice in a Collect, with exact chances that do not depend on hidden values.

A seat's rolls do not depend on other seats' rolls, so each seat is enumerated separately.
"""

from collections.abc import Callable

from royalcrypt.play.claim_form import EXHAUSTION
from royalcrypt.rules.actions import reroll
from royalcrypt.rules.cards import IDOL
from royalcrypt.rules.chance import seed_key
from royalcrypt.rules.collectors import failed_on, lies_face_down
from royalcrypt.rules.layout import CHANCE, FACES, State, copy_of, no_options
from royalcrypt.rules.phases import GHOST, NO_ERRAND, REROLL, ROLL
from royalcrypt.rules.phases import IDOL as IDOL_WINDOW
from royalcrypt.rules.reveal import row_length, seat_at
from royalcrypt.rules.turns import legal_actions
from royalcrypt.rules.views import hide
from royalcrypt.search.simulation import applied, deal_hidden

COLLECTING = (ROLL, IDOL_WINDOW, REROLL)
RerollChoice = Callable[[State], int]
"""A function that returns the actor's small decision when Idol A is offered."""
Outcomes = list[tuple[float, State]]


def hidden_cards(known: State) -> list[int]:
    """The drawn cards whose values the viewer does not know."""
    return [card for card in range(known.drawn) if known.card_value[card] == 0]


def hidden_in_row(known: State) -> list[int]:
    """The hidden cards in the Crypt, which Manuscript B reveals (R8.3B)."""
    row = [known.slots[slot].card for slot in range(row_length(known)) if lies_face_down(known, slot)]
    return [card for card in row if known.card_value[card] == 0]


def any_deal(known: State) -> State:
    """The state with arbitrary possible values for hidden cards, as the rules for flips require values."""
    dealt = copy_of(known)
    deal_hidden(dealt, *seed_key(0))
    return dealt


def without_deal(dealt: State, hidden: list[int]) -> State:
    """The state without the values that ``any_deal`` assigned."""
    known = copy_of(dealt)
    for card in hidden:
        hide(known, card)
    known.noted = 0
    return known


def is_collecting(state: State) -> bool:
    return state.phase in COLLECTING


def reroll_the_easiest(state: State) -> int:
    """Re-roll the failed die with the lowest effort: in the last round an Idol has no better use (R8.1A)."""
    failed = [slot for slot in range(row_length(state)) if failed_on(state, state.actor, slot) > 0]
    return reroll(min(failed, key=lambda slot: state.slots[slot].effort))


def roll_outcomes(dealt: State, choose: RerollChoice) -> Outcomes:
    """The distribution of the current seat's dice results; equal results are merged."""
    order, seat = dealt.order, seat_at(dealt, dealt.order)
    found: dict[tuple[int, ...], tuple[float, State]] = {}
    open_ways: Outcomes = [(1.0, dealt)]
    while open_ways:
        chance, state = open_ways.pop()
        if not is_collecting(state) or state.order != order:
            player = state.players[seat]
            key = (player.ready, player.exhausted, player.unflipped[IDOL])
            found[key] = (found[key][0] + chance if key in found else chance, state)
        elif state.actor == CHANCE:
            open_ways += [(chance * part, after) for part, after in _rolled(state)]
        else:
            code = _first_flip(state) if state.errand != NO_ERRAND else choose(state)
            open_ways.append((chance, applied(state, seat, code)))
    return [found[key] for key in sorted(found)]


def _rolled(state: State) -> Outcomes:
    """The two results of a die, failure and success; one face represents each."""
    slot = state.slots[state.roll_slot if state.phase == ROLL else state.errand_slot]
    fails, of = EXHAUSTION[slot.effort - 1]
    return [(fails / of, applied(state, CHANCE, 1)), (1 - fails / of, applied(state, CHANCE, FACES))]


def _first_flip(state: State) -> int:
    options = no_options()
    legal_actions(state, options)
    return options.codes[0]


def ghost_outcomes(state: State) -> Outcomes:
    """The distribution of the Ghost's turn (R10.4); equal results are merged."""
    outcomes = {_merge_key(state): (1.0, state)}
    while any(now.phase == GHOST for _, now in outcomes.values()):
        further: dict[tuple[int, ...], tuple[float, State]] = {}
        for chance, now in outcomes.values():
            for face in range(1, FACES + 1):
                after = applied(now, CHANCE, face)
                key = _merge_key(after)
                part = chance / FACES
                further[key] = (further[key][0] + part if key in further else part, after)
        outcomes = further
    return [outcomes[key] for key in sorted(outcomes)]


def _merge_key(state: State) -> tuple[int, ...]:
    """A key that is equal for equal results: the Ghost's dice during its roll, then row, owners and dice."""
    if state.phase == GHOST:
        return tuple(state.ghost_faces)
    length = row_length(state)
    slots = [state.slots[position] for position in range(length)]
    row = [number for slot in slots for number in (slot.holder, slot.dice, slot.effort)]
    places = [state.card_place[card] for card in range(state.drawn - length, state.drawn)]
    return (*row, *places, state.players[0].ready, state.players[0].exhausted)
