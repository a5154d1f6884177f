"""What a seat, or a spectator, sees: rows, dice, collections, beliefs, and what they may do.

Everything here is read off a concealed state (``rules.views.conceal``), so nothing here can leak.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, cast

from royalcrypt.notation.cards import LETTERS, card_text, sides_text
from royalcrypt.notation.moves import Move
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.cards import DISCARDED, is_public
from royalcrypt.rules.claims import UNCLAIMABLE, is_last_turn, least_total, turns_in_round
from royalcrypt.rules.layout import FACES, GHOST, NONE, SPECTATOR, TYPES, VALUES, State, copy_of
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import count_scores, scoring_seats
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.rules.views import conceal

Odds = tuple[int, ...]


class CardView(NamedTuple):
    """A card as its viewer knows it."""

    number: int
    """Which physical card: its place in the order of all rows."""
    type: str
    value: int | None
    is_public: bool
    is_flipped: bool
    odds: Odds | None
    """For a hidden card, the number of unseen cards of its type by value 1 to 4 (R11.5)."""

    def __str__(self) -> str:
        return card_text(LETTERS.index(self.type), self.value or 0)

    def belief(self) -> tuple[Fraction, ...]:
        """The chance of each value from 1 to 4."""
        if self.odds is None:
            return tuple(Fraction(int(value == self.value)) for value in range(1, VALUES + 1))
        return tuple(Fraction(count, sum(self.odds)) for count in self.odds)

    def expected(self) -> float:
        """Coins, on average."""
        if self.odds is None:
            return float(self.value or 0)
        return sum(value * count for value, count in enumerate(self.odds, 1)) / sum(self.odds)


class SlotView(NamedTuple):
    """A place of the Crypt's row; without a card once it was taken."""

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


class SeatView(NamedTuple):
    """A player's servants and collection."""

    seat: int
    is_ghost: bool
    ready: int
    exhausted: int
    has_peeked: bool
    cards: tuple[CardView, ...]
    """In the order they were taken."""
    held: tuple[int, ...]
    unflipped: tuple[int, ...]
    """How many of each type."""
    won_idols: bool


class ClaimForm(NamedTuple):
    """All a client needs to stage a claim: it only adds and compares."""

    ready: int
    least: tuple[int | None, ...]
    """By slot, the least total effort that claims it; None where that is not allowed."""
    one_card_only: bool
    exhaustion: tuple[Fraction, ...]
    """By effort from 1 to 6, the chance that one die is exhausted (R6.3)."""
    rivals: tuple[tuple[int, int], ...]
    """Opponents with a turn still to come in this round, and their ready dice now."""


@dataclass(frozen=True, slots=True)
class View:
    """What one viewer may know, and may do."""

    seat: int | None
    """None for a spectator."""
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
    """By type, how many cards of each value lie where this viewer does not know (R11.5)."""
    actions: tuple[int, ...]
    """Legal small decisions, ascending (``rules.actions``)."""
    form: ClaimForm | None
    known: State = field(repr=False, compare=False)
    """The concealed state this view was read off: rules work on it as far as knowledge goes."""

    def moves(self) -> Iterator[Move]:
        """Every legal whole action, as a move of its own."""
        if self.seat is not None:
            for spelled in _spellings(self.known, self.seat, []):
                yield Move.from_codes(spelled)

    def scores(self) -> tuple[int, ...]:
        """What each player would score now, as far as this viewer can count."""
        counted = copy_of(self.known)
        count_scores(counted)
        return tuple(counted.players[seat].score for seat in range(scoring_seats(counted)))

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values; equal views give equal bytes."""
        found = {name: _plain(getattr(self, name)) for name in self.__slots__ if name != "known"}
        found["scores"] = list(self.scores())
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if isinstance(value, (CardView, SlotView, SeatView, ClaimForm)):
        return {name: _plain(item) for name, item in zip(value._fields, value, strict=True)}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[Any, ...]", value)]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in cast("dict[str, Any]", value).items()}
    return value


def _spellings(known: State, seat: int, so_far: list[int]) -> Iterator[list[int]]:
    for code in legal_codes(known, seat):
        after = copy_of(known)
        apply(after, seat, code)
        spelled = [*so_far, code]
        if is_under_way(after, seat):
            yield from _spellings(after, seat, spelled)
        else:
            yield spelled


EXHAUSTION = tuple(Fraction(effort - 1, FACES) for effort in range(1, FACES + 1))


def view_of(state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None)."""
    viewer = SPECTATOR if seat is None else seat
    known = copy_of(state)
    conceal(known, viewer)
    unseen = [tuple(known.unseen[kind] for kind in range(t * VALUES, (t + 1) * VALUES)) for t in range(TYPES)]
    cards = [_card(known, card, unseen) for card in range(known.drawn)]
    actions = () if seat is None else tuple(legal_codes(known, seat))
    turns = turns_in_round(known)
    return View(
        seat=seat,
        players=scoring_seats(known),
        is_solo=bool(known.is_solo),
        collectors=sides_text(known),
        round=known.round_number,
        rounds=ROUNDS[known.seats],
        phase=Phase(known.phase).name.lower(),
        actor=known.actor if known.actor >= 0 else None,
        leader=known.leader,
        lights_out=seat_at(known, turns - 1),
        turn=known.turn,
        turns=turns,
        is_last_turn=is_last_turn(known),
        decisions=known.decisions,
        row=tuple(_slot(known, position, cards) for position in range(row_length(known))),
        seats=tuple(_seat(known, index, cards) for index in range(known.seats)),
        deck=known.deck,
        top=None if known.top == NONE else LETTERS[known.top],
        discards=tuple(card for card in cards if known.card_place[card.number] == DISCARDED),
        unseen=dict(zip(LETTERS, unseen, strict=True)),
        actions=actions,
        form=_form(known, seat)
        if seat is not None and known.phase == Phase.CLAIM and seat == known.actor
        else None,
        known=known,
    )


def _card(known: State, card: int, unseen: list[Odds]) -> CardView:
    value = known.card_value[card]
    card_type = known.card_type[card]
    return CardView(
        number=card,
        type=LETTERS[card_type],
        value=value or None,
        is_public=is_public(known, card),
        is_flipped=bool(known.card_flipped[card]),
        odds=None if value else unseen[card_type],
    )


def _slot(known: State, position: int, cards: list[CardView]) -> SlotView:
    slot = known.slots[position]
    is_held = slot.holder != NONE
    return SlotView(
        slot=position,
        card=None if slot.card == NONE else cards[slot.card],
        is_down=bool(slot.is_down),
        holder=slot.holder if is_held else None,
        dice=slot.dice if is_held else 0,
        effort=slot.effort if is_held else 0,
        failed=slot.failed if is_held else 0,
    )


def _seat(known: State, seat: int, cards: list[CardView]) -> SeatView:
    player = known.players[seat]
    taken = (known.taken[index] for index in range(known.takings))
    return SeatView(
        seat=seat,
        is_ghost=bool(known.is_solo) and seat == GHOST,
        ready=player.ready,
        exhausted=player.exhausted,
        has_peeked=bool(player.has_peeked),
        cards=tuple(cards[card] for card in taken if known.card_place[card] == seat),
        held=tuple(player.held[card_type] for card_type in range(TYPES)),
        unflipped=tuple(player.unflipped[card_type] for card_type in range(TYPES)),
        won_idols=bool(player.won_idols),
    )


def _form(known: State, seat: int) -> ClaimForm:
    later = range(known.turn + 1, turns_in_round(known))
    rivals = dict.fromkeys(seat_at(known, turn) for turn in later)
    least = (least_total(known, seat, position) for position in range(row_length(known)))
    return ClaimForm(
        ready=known.players[seat].ready,
        least=tuple(None if total == UNCLAIMABLE else total for total in least),
        one_card_only=is_last_turn(known),
        exhaustion=EXHAUSTION,
        rivals=tuple((rival, known.players[rival].ready) for rival in rivals if rival != seat),
    )
