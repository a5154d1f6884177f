"""Views as JSON without ``View`` objects: common parts are cached per state, cards per knowledge.

The result equals ``View.to_json`` byte for byte. Private parts come from concealed states.
"""

from functools import cache
from operator import add

import msgspec

from royalcrypt.notation.cards import LETTERS
from royalcrypt.play.knowledge import CardKnowledge, KnowledgeCache, by_collection, discarded, plain_card
from royalcrypt.play.page import ACTIONS, FIRST_CARD, FORM, NULL, SCORES, SEAT, Page
from royalcrypt.play.rulings import legal_codes
from royalcrypt.play.views import form_of
from royalcrypt.rules.layout import SPECTATOR, VALUES, State, copy_sharing_all
from royalcrypt.rules.reveal import row_length

encode = msgspec.json.Encoder().encode


def view_json(state: State, seat: int | None, *, remembers: bool, cache: KnowledgeCache) -> bytes:
    """The same bytes as ``view_of(...).to_json()``."""
    viewer = SPECTATOR if seat is None else seat
    knowledge = cache.found(state, viewer, remembers=remembers)
    if knowledge is None or knowledge.written is None:
        known, knowledge = cache.known(state, viewer, remembers=remembers)
        knowledge.written = written_cards(known, tells_all=knowledge.tells_all)
    page = cache.page(state)
    pieces = page.pieces[:]
    pieces[SEAT] = NULL if seat is None else str(seat)
    pieces[FIRST_CARD : ACTIONS - 1 : 2] = knowledge.written
    for blank in page.gone:
        pieces[blank] = NULL
    pieces[ACTIONS], pieces[FORM] = _choice(state, seat, knowledge, page)
    pieces[SCORES] = _scores(seat, knowledge, page)
    return "".join(pieces).encode("ascii")


def _choice(state: State, seat: int | None, knowledge: CardKnowledge, page: Page) -> tuple[str, str]:
    """The viewer's legal actions and the claim form, as JSON."""
    if seat is None:
        return "", NULL
    if seat != state.actor:
        return ",".join(map(str, page.any_time[seat])), NULL
    known = copy_sharing_all(state)
    knowledge.conceal(known)
    actions = encode(legal_codes(known, seat))[1:-1]
    return actions.decode("ascii"), encode(form_of(known, seat)).decode("ascii")


def _scores(seat: int | None, knowledge: CardKnowledge, page: Page) -> str:
    scores = list(map(str, map(add, knowledge.scores, page.servants)))
    if not knowledge.tells_all:
        scores = [score if index == seat else NULL for index, score in enumerate(scores)]
    return ",".join(scores)


def written_cards(known: State, *, tells_all: bool) -> list[str]:
    """The JSON texts for the blanks from the row to the unseen cards."""
    odds = list(map(_odds, *[iter(known.unseen)] * VALUES))
    cards = list(
        map(
            _plain_card,
            range(known.drawn),
            known.card_type,
            known.card_value,
            known.card_knowers,
            known.card_flipped,
        )
    )
    if tells_all:
        values, types = known.card_value, known.card_type
        for number in range(known.drawn):
            if values[number] == 0:
                cards[number] = cards[number].removesuffix(NO_ODDS) + odds[types[number]] + "}"
    return [
        *cards[-row_length(known) :],
        *map(",".join, by_collection(known, cards)),
        ",".join(discarded(known, cards)),
        ALL_ODDS % tuple(odds) if tells_all else "{}",
    ]


NO_ODDS = "null}"
ALL_ODDS = "{" + ",".join(f'"{letter}":%s' for letter in LETTERS) + "}"


@cache
def _plain_card(number: int, card_type: int, value: int, knowers: int, flipped: int) -> str:
    """The JSON of a card without odds; cached like ``plain_card``, because games share few different ones."""
    return encode(plain_card(number, card_type, value, knowers, flipped)).decode("ascii")


@cache
def _odds(*counts: int) -> str:
    return f"[{','.join(map(str, counts))}]"
