"""Views: the rows, dice, collections, beliefs and legal actions that a seat or a spectator sees.

A view is built from a concealed state (``rules.views.conceal``), so it cannot reveal hidden values. Its JSON
contains the declared fields only, not the concealed state.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec

from royalcrypt.notation.moves import Move
from royalcrypt.play.knowledge import CardView, KnowledgeCache, Odds, SeatView, SlotView
from royalcrypt.play.public_part import PublicPart
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.claims import UNCLAIMABLE, is_last_turn, least_total, turns_in_round
from royalcrypt.rules.ghost import ghost_dice
from royalcrypt.rules.layout import FACES, SPECTATOR, State, copy_of, numbers_of, state_of
from royalcrypt.rules.phases import CLAIM, OVER
from royalcrypt.rules.reveal import row_length, seat_at
from royalcrypt.rules.turns import apply, is_under_way

Share = tuple[int, int]
"""A fraction as numerator and denominator."""


# Instances are never part of reference cycles, so the garbage collector need not track them.
class ClaimForm(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The data that a client needs to prepare a claim with additions and comparisons only."""

    ready: int
    least: tuple[int | None, ...]
    """The least total effort that claims each slot; None where a claim is not allowed."""
    one_card_only: bool
    exhaustion: tuple[Share, ...]
    """The chance that one die is exhausted, for efforts 1 to 6 (R6.3)."""
    rivals: tuple[tuple[int, int], ...]
    """Opponents with a turn to come in this round, and the number of dice they have for it now."""

    def risk(self, effort: int) -> Fraction:
        """The chance that a die of this effort is exhausted."""
        return Fraction(*self.exhaustion[effort - 1])


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


EXHAUSTION = tuple(Fraction(effort - 1, FACES).as_integer_ratio() for effort in range(1, FACES + 1))


def view_of(
    state: State, seat: int | None, *, remembers: bool = True, cache: KnowledgeCache | None = None
) -> View:
    """The view of a seat or of a spectator (None); the state must not be changed afterwards.

    ``cache`` contains the knowledge of earlier views of the game.
    """
    cache = cache or KnowledgeCache()
    viewer = SPECTATOR if seat is None else seat
    known, knowledge = cache.known(state, viewer, remembers=remembers)
    public = cache.public(state)
    cards = knowledge.cards_seen(known)
    scores = knowledge.count_scores(known, public.servants)
    tells_all = remembers or known.phase == OVER
    view = View(
        seat,
        *public.head,
        row=knowledge.row(known, public),
        seats=knowledge.collections(known, public),
        deck=public.deck,
        top=public.top,
        discards=cards.discards,
        unseen=cards.unseen,
        actions=_actions(known, seat, public),
        form=form_of(known, seat),
        scores=tuple([score if tells_all or index == seat else None for index, score in enumerate(scores)]),
    )
    vars(view).update(known=known, knowledge=knowledge, public=public)  # the last two for ``view_changes``
    return view


def _actions(known: State, seat: int | None, public: PublicPart) -> tuple[int, ...]:
    if seat is None:
        return ()
    if seat == public.actor:
        return tuple(legal_codes(known, seat))
    return public.out_of_turn[seat]


def form_of(known: State, seat: int | None) -> ClaimForm | None:
    """The claim form; None unless the seat decides on a claim."""
    if seat is None or seat != known.actor or known.phase != CLAIM:
        return None
    later = range(known.turn + 1, turns_in_round(known))
    turns = {seat_at(known, turn): turn for turn in later}
    least = [least_total(known, seat, position) for position in range(row_length(known))]
    rivals = [
        # Dice that the Ghost set aside stay ready, but are not rolled again (R10.5).
        (other, ghost_dice(known, turn) if known.is_solo else known.players[other].ready)
        for other, turn in turns.items()
        if other != seat
    ]
    return ClaimForm(
        ready=known.players[seat].ready,
        least=tuple([None if total == UNCLAIMABLE else total for total in least]),
        one_card_only=is_last_turn(known),
        exhaustion=EXHAUSTION,
        rivals=tuple(rivals),
    )
