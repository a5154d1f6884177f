"""Views: the rows, dice, collections, beliefs and legal actions that a seat or a spectator sees.

A view is built from a concealed state (``rules.views.conceal``), so it cannot reveal hidden values. Its JSON
contains the declared fields only, not the concealed state.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.moves import Move
from royalcrypt.play.claim_form import ClaimForm
from royalcrypt.play.knowledge import CardView, KnowledgeCache, Odds
from royalcrypt.play.rulings import legal_codes
from royalcrypt.play.view_parts import ViewParts, parts_of
from royalcrypt.rules.layout import State, copy_of, numbers_of, state_of
from royalcrypt.rules.turns import apply, is_under_way


# Instances are never part of reference cycles, so the garbage collector need not track them.
class SlotView(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One position of the Crypt's row; it has no card once the card was taken."""

    slot: int
    card: CardView | None
    is_down: bool
    holder: int | None
    dice: int
    effort: int
    failed: int

    @property
    def total(self) -> int:
        return self.dice * self.effort


class SeatView(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A player's servants and collection."""

    seat: int
    is_ghost: bool
    ready: int
    exhausted: int
    has_peeked: bool
    cards: tuple[CardView, ...]
    """The cards in the order of taking."""
    held: tuple[int, ...]
    unflipped: tuple[int, ...]
    """The number of unflipped cards of each type."""
    won_idols: bool


class View(msgspec.Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """A viewer's knowledge of the game and legal actions.

    With ``remembers=False`` a view omits what players can remember themselves (section 12). Until the game is
    over it then has only visible cards, the viewer's own collection and the known cards of the row: cards
    face-down in other collections and in the discards have no value, hidden cards no odds, ``unseen`` is
    empty, and ``scores`` has only the viewer's own score. ``is_public`` is not affected.
    """

    seat: int | None
    """The viewer's seat; None for a spectator."""
    players: int
    is_solo: bool
    collectors: str
    round: int
    rounds: int
    phase: str
    actor: int | None
    leader: int
    lights_out: int
    turn: int
    turns: int
    is_last_turn: bool
    decisions: int
    row: tuple[SlotView, ...]
    seats: tuple[SeatView, ...]
    deck: int
    top: str | None
    discards: tuple[CardView, ...]
    unseen: dict[str, Odds]
    """For each type, the number of cards by value at places unknown to this viewer (R11.5)."""
    actions: tuple[int, ...]
    """Legal small decisions, ascending (``rules.actions``)."""
    form: ClaimForm | None
    scores: tuple[int | None, ...]
    """The current score of each player, as far as this viewer can compute it."""

    @property
    def known(self) -> State:
        """The concealed state on which this view is based; rules may be applied to copies of it.

        Not part of the JSON: only views made in this process or by ``unpack`` have it.
        """
        return vars(self)["known"]

    @property
    def parts(self) -> ViewParts:
        """What the view is made of, for ``view_changes``. Not part of the JSON."""
        return vars(self)["parts"]

    def moves(self) -> Iterator[Move]:
        """Each legal whole action, as a separate move."""
        if self.seat is not None:
            for action in _whole_actions(self.known, self.seat, []):
                yield Move.from_codes(action)

    def to_json(self) -> bytes:
        """All fields except ``known``; equal views give equal bytes."""
        return msgspec.json.encode(self)

    def to_dict(self) -> dict[str, Any]:
        """The fields of ``to_json`` as plain values."""
        return msgspec.json.decode(self.to_json())

    def picture(self) -> str:
        """An SVG of the table as this viewer knows it."""
        from royalcrypt.play.picture import table_picture  # noqa: PLC0415 (imported only by notebooks)

        return table_picture(self)

    def _repr_svg_(self) -> str:
        return self.picture()

    def _repr_html_(self) -> str:
        return self.picture()

    def pack(self) -> bytes:
        """Serialise for another process of this version; ``unpack`` returns an equal view with ``known``."""
        return msgspec.msgpack.encode(Packed(self.seat, bool(self.unseen), numbers_of(self.known)))

    @staticmethod
    def unpack(packed: bytes) -> "View":
        found = UNPACKER.decode(packed)
        return view_of(state_of(found.known), found.seat, remembers=found.remembers)

    def __reduce__(self) -> tuple[Any, ...]:
        return View.unpack, (self.pack(),)


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """The serialised parts of a view."""

    seat: int | None
    remembers: bool
    known: list[int]


UNPACKER = msgspec.msgpack.Decoder(Packed)


def _whole_actions(known: State, seat: int, so_far: list[int]) -> Iterator[list[int]]:
    for code in legal_codes(known, seat):
        after = copy_of(known)
        apply(after, seat, code)
        codes_so_far = [*so_far, code]
        if is_under_way(after, seat):
            yield from _whole_actions(after, seat, codes_so_far)
        else:
            yield codes_so_far


def view_of(
    state: State, seat: int | None, *, remembers: bool = True, cache: KnowledgeCache | None = None
) -> View:
    """The view of a seat or of a spectator (None); the state must not be changed afterwards.

    ``cache`` contains the knowledge of earlier views of the game.
    """
    parts = parts_of(state, seat, remembers=remembers, cache=cache or KnowledgeCache())
    view = view_from(parts)
    known = parts.knowledge.concealed(state)
    parts.knowledge.count_scores(known, parts.public.servants)
    vars(view)["known"] = known
    return view


def view_from(parts: ViewParts) -> View:
    """The view made of these parts, without ``known``."""
    public, cards = parts.public, parts.knowledge.cards
    row = zip(public.slots, cards.row, strict=False)
    seats = zip(public.seats, cards.collections, strict=True)
    view = View(
        parts.seat,
        *public.head,
        row=tuple([SlotView(slot[0], None if slot[6] else card, *slot[1:6]) for slot, card in row]),
        seats=tuple([SeatView(*seat[:5], held, *seat[5:]) for seat, held in seats]),
        deck=public.deck,
        top=public.top,
        discards=cards.discards,
        unseen=dict(zip(LETTERS, cards.odds, strict=False)),
        actions=parts.actions,
        form=parts.form,
        scores=parts.scores,
    )
    vars(view)["parts"] = parts
    return view
