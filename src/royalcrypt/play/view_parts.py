"""The parts that a view is made of: enough to find what has changed, and cheaper to make and to keep."""

from operator import add
from typing import NamedTuple

from royalcrypt.play.claim_form import ClaimForm, form_of
from royalcrypt.play.knowledge import CardKnowledge, KnowledgeCache
from royalcrypt.play.public_part import PublicPart
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.layout import SPECTATOR, State


class ViewParts(NamedTuple):
    """What one viewer may know and do; ``views.view_from`` makes the view."""

    seat: int | None
    public: PublicPart
    """Equal for all viewers."""
    knowledge: CardKnowledge
    """Successive parts share it while no card moves or is seen."""
    actions: tuple[int, ...]
    form: ClaimForm | None
    scores: tuple[int | None, ...]


def parts_of(state: State, seat: int | None, *, remembers: bool, cache: KnowledgeCache) -> ViewParts:
    """The parts for a seat or a spectator (None); the state must not be changed afterwards."""
    knowledge = cache.knowledge(state, SPECTATOR if seat is None else seat, remembers=remembers)
    public = cache.public(state)
    actions, form = (), None
    if seat is not None and seat == public.actor:
        known = knowledge.concealed(state)
        actions, form = tuple(legal_codes(known, seat)), form_of(known, seat)
    elif seat is not None:
        actions = public.out_of_turn[seat]
    scores: tuple[int | None, ...] = tuple(map(add, knowledge.scores, public.servants))
    if not knowledge.tells_all:
        scores = tuple([score if index == seat else None for index, score in enumerate(scores)])
    return ViewParts(seat, public, knowledge, actions, form, scores)
