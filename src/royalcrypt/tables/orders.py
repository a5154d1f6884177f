"""Standing orders: conditional moves that a person prepares for their next turns of the round.

Orders are checked only against the seat's own view and claims, so they use no hidden information.
Slots count from 0 and refer to cards of the round for which the orders are given.
"""

from enum import StrEnum
from typing import NamedTuple

import msgspec

from royalcrypt.notation.events import Claim, Reveal
from royalcrypt.notation.moves import Action, Move, Verb
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game
from royalcrypt.play.rulings import check_action
from royalcrypt.play.views import View
from royalcrypt.rules import phases
from royalcrypt.rules.layout import SERVANTS, State, copy_of
from royalcrypt.rules.reveal import row_length, seat_at
from royalcrypt.tables.table import is_any_time, parsed

MAX_ORDERS = 8
VERBS = (Verb.CLAIM, Verb.RECOVER, Verb.DECLINE)


class When(StrEnum):
    """Condition under which a standing order applies."""

    ALWAYS = "always"
    PUSHED_OFF = "pushed_off"
    """The seat was pushed off the card (R5.4), or off any card if the order names none."""
    NOT_PUSHED_OFF = "not_pushed_off"
    FREE = "free"
    """No player holds the card."""
    HELD = "held"
    """Another player holds the card."""


NEED_CARD = (When.FREE, When.HELD)


class Order(msgspec.Struct, frozen=True):
    """A standing order: a condition and the move to make."""

    when: When
    slot: int | None
    """Slot of the card that the condition is about, if any."""
    move: str

    @property
    def action(self) -> Action:
        (action,) = parsed(self.move).actions
        return action


class Deed(msgspec.Struct, frozen=True):
    """A move that was made by a standing order."""

    round: int
    event: int
    """Number of the move's event."""


class SeatOrders(msgspec.Struct, frozen=True):
    """The orders of a seat, with the moves that orders have made for it."""

    round: int | None = None
    """Round in which the orders apply; None without orders."""
    moves: int = 0
    """Moves the seat had made when the orders were last valid; a move made by the person cancels them."""
    orders: tuple[Order, ...] = ()
    done: tuple[Deed, ...] = ()

    def with_orders(self, orders: tuple[Order, ...], game: Game, seat: int) -> "SeatOrders":
        if not orders:
            return self.cancelled()
        return SeatOrders(game.round, moves_made(game, seat), orders, self.done)

    def cancelled(self) -> "SeatOrders":
        return SeatOrders(done=self.done)

    def are_valid(self, game: Game, seat: int) -> bool:
        return self.round == game.round and not game.is_over and self.moves == moves_made(game, seat)

    def after_move(self, before: Game, after: Game, seat: int) -> "SeatOrders":
        """Return the orders after one more move; cancelled if the seat has no further decision this round."""
        done = (*self.done, Deed(before.round, len(before.events)))
        is_spent = after.is_over or after.round != before.round
        if not is_spent and turns_left(after.view(seat), seat) == 0:
            is_spent = not any(order.action.verb is Verb.DECLINE for order in self.orders)
        if is_spent:
            return SeatOrders(done=done)
        return SeatOrders(self.round, self.moves + 1, self.orders, done)


encode_orders = msgspec.json.Encoder().encode
decode_orders = msgspec.json.Decoder(SeatOrders).decode


def moves_made(game: Game, seat: int) -> int:
    """Count a seat's moves, without any-time actions (R9.1), which leave its decisions open."""
    return sum(mover == seat and not is_any_time(str(move)) for mover, move in game.moves)


class Situation(NamedTuple):
    """The knowledge of one seat, against which orders are checked."""

    view: View
    seat: int
    claimed: frozenset[int]
    """Slots that the seat has claimed in this round."""

    @classmethod
    def of(cls, game: Game, seat: int) -> "Situation":
        claimed: set[int] = set()
        for event in reversed(game.events):
            if isinstance(event, Reveal):
                break
            if isinstance(event, Claim) and event.seat == seat:
                claimed.update(place.slot for place in event.place)
        return cls(game.view(seat), seat, frozenset(claimed))

    def is_met(self, order: Order) -> bool:
        """Whether the order's condition is true now."""
        row, slot = self.view.row, order.slot
        lost = {claimed for claimed in self.claimed if row[claimed].holder != self.seat}
        match order.when:
            case When.ALWAYS:
                return True
            case When.PUSHED_OFF:
                return bool(lost) if slot is None else slot in lost
            case When.NOT_PUSHED_OFF:
                return not lost if slot is None else slot not in lost
            case When.FREE:
                return slot is not None and row[slot].card is not None and row[slot].holder is None
            case When.HELD:
                return slot is not None and row[slot].holder not in (None, self.seat)


def choice(orders: tuple[Order, ...], game: Game, seat: int) -> Move | None:
    """Return the move of the first order with a true condition and a legal move, if any."""
    situation = Situation.of(game, seat)
    for order in orders:
        if situation.is_met(order) and _why_illegal(situation.view.known, seat, order.action) is None:
            return parsed(order.move)
    return None


def objection(order: Order, game: Game, seat: int) -> Refusal | None:
    """Return why the move would be illegal on the seat's next turn if only the condition became true."""
    action = order.action
    if action.verb is Verb.DECLINE:
        return None
    situation = Situation.of(game, seat)
    turns = _turns_ahead(situation.view, seat)
    if not turns:
        return Refusal(Reason.TURNS_OVER)
    if not situation.is_met(order) and not _can_become_true(order, situation, len(turns)):
        return Refusal(Reason.NEVER_SO)
    known = copy_of(situation.view.known)
    known.phase, known.actor, known.turn = phases.CLAIM, seat, turns[0]
    if order.when is When.PUSHED_OFF:
        _push_off(known, seat, order.slot)
    return _why_illegal(known, seat, action)


def _can_become_true(order: Order, situation: Situation, turns: int) -> bool:
    """Whether the condition can become true: being pushed off needs a held card or a turn to claim one."""
    if order.when is not When.PUSHED_OFF or turns > 1:
        return True
    row = situation.view.row
    slots = range(len(row)) if order.slot is None else (order.slot,)
    return any(row[slot].holder == situation.seat for slot in slots)


def _push_off(known: State, seat: int, slot: int | None) -> None:
    """Change ``known`` as if the seat were pushed off with the least effort: its dice return (R5.4, R5.7)."""
    for position in range(row_length(known)) if slot is None else (slot,):
        place = known.slots[position]
        if place.holder == seat:
            known.players[seat].ready += place.dice
            place.holder = (seat + 1) % known.seats
            place.dice, place.effort = 1, place.dice * place.effort + 1


def _why_illegal(known: State, seat: int, action: Action) -> Refusal | None:
    try:
        check_action(known, seat, action)
    except Refusal as refusal:
        return refusal
    return None


def turns_left(view: View, seat: int) -> int:
    """Count a seat's remaining turns in this round, including the current one."""
    return len(_turns_ahead(view, seat))


def _turns_ahead(view: View, seat: int) -> list[int]:
    if view.phase not in ("pottery", "claim"):
        return []
    return [turn for turn in range(view.turn, view.turns) if seat_at(view.known, turn) == seat]


def check(orders: tuple[Order, ...], view: View) -> None:
    """Raise Refusal for orders that are impossible in this round, whatever other players do."""
    if len(orders) > MAX_ORDERS:
        raise Refusal(Reason.TOO_MANY, most=MAX_ORDERS)
    for order in orders:
        _check_condition(order, view)
        _check_action(order.action, view)


def _check_condition(order: Order, view: View) -> None:
    if order.slot is None and order.when in NEED_CARD:
        raise Refusal(Reason.WRONG_ORDER, why="card")
    if order.slot is not None:
        if order.when is When.ALWAYS:
            raise Refusal(Reason.WRONG_ORDER, why="no_card")
        _check_card(order.slot, view)


def _check_action(action: Action, view: View) -> None:
    if action.verb not in VERBS:
        raise Refusal(Reason.WRONG_ORDER, why="verb", verb=action.verb)
    slots = [place.slot for place in action.place]
    for slot in slots:
        _check_card(slot, view)
        if slots.count(slot) > 1:
            raise Refusal(Reason.CARD_TWICE, card=slot + 1)
    wanted = sum(place.dice for place in action.place)
    if wanted > SERVANTS:
        raise Refusal(Reason.TOO_FEW_DICE, wanted=wanted, ready=SERVANTS)


def _check_card(slot: int, view: View) -> None:
    if slot >= len(view.row):
        raise Refusal(Reason.NO_SUCH_CARD, card=slot + 1, cards=len(view.row))
    if view.row[slot].card is None:
        raise Refusal(Reason.CARD_GONE, card=slot + 1)
