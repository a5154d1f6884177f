"""Standing orders: which fits, which is skipped, and how long they hold."""

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game
from royalcrypt.tables.orders import (
    MAX_ORDERS,
    Order,
    SeatOrders,
    When,
    check,
    choice,
    objection,
    turns_left,
)

RECOVER = Order(When.ALWAYS, None, "recover")


def game(*moves: str, players: int = 2, collectors: str = "AAAAAA") -> Game:
    begun = Game.new(players=players, collectors=collectors, seed=7)
    for move in moves:
        begun.play(move)
    return begun


def chosen(played: Game, *orders: Order, seat: int = 0) -> str | None:
    found = choice(orders, played, seat)
    return None if found is None else str(found)


def test_an_order_for_a_push_waits_for_it() -> None:
    order = Order(When.PUSHED_OFF, 0, "2:1x2")
    assert chosen(game("1:1x2", "1:1x3"), order) == "2:1x2"
    assert chosen(game("1:1x2", "2:1x1"), order) is None
    assert chosen(game("3:1x2", "1:1x3"), order) is None, "it never had dice there"


def test_a_push_off_any_card_counts_where_none_is_named() -> None:
    order = Order(When.PUSHED_OFF, None, "recover")
    assert chosen(game("1:1x2 2:1x2", "2:1x3"), order) == "recover"
    assert chosen(game("1:1x2 2:1x2", "3:1x3"), order) is None


def test_not_pushed_off_is_the_opposite() -> None:
    orders = Order(When.NOT_PUSHED_OFF, None, "3:1x1"), Order(When.NOT_PUSHED_OFF, 1, "3:1x2")
    assert chosen(game("1:1x2 2:1x2", "recover"), *orders) == "3:1x1"
    assert chosen(game("1:1x2 2:1x2", "1:1x3"), *orders) == "3:1x2"
    assert chosen(game("1:1x2 2:1x2", "1:1x3 2:1x3"), *orders) is None


def test_a_card_is_free_or_held_by_somebody_else() -> None:
    free, held = Order(When.FREE, 0, "1:1x6"), Order(When.HELD, 0, "2:1x6")
    assert chosen(game("1:1x2"), free, held, seat=1) == "2:1x6"
    assert chosen(game("2:1x2"), free, held, seat=1) == "1:1x6"
    assert chosen(game("1:1x2", "recover"), free, held) is None, "it is one's own"


def test_the_first_that_fits_and_is_legal_is_carried_out() -> None:
    too_low, enough = Order(When.ALWAYS, None, "1:1x3"), Order(When.ALWAYS, None, "1:1x4")
    assert chosen(game("1:1x3"), too_low, enough, RECOVER, seat=1) == "1:1x4"
    assert chosen(game("1:1x3"), RECOVER, enough, seat=1) == "recover"
    assert chosen(game("1:1x3"), too_low, seat=1) is None


def test_two_cards_on_the_last_turn_are_skipped() -> None:
    two = Order(When.ALWAYS, None, "2:1x1 3:1x1")
    assert chosen(game("1:1x2", "recover"), two, RECOVER) == "recover"


def test_an_answer_to_an_offer_waits_for_one() -> None:
    decline = Order(When.ALWAYS, None, "decline")
    assert chosen(game("1:1x3"), decline, RECOVER, seat=1) == "recover"


def test_orders_hold_until_their_giver_moves_by_hand() -> None:
    standing = SeatOrders().with_orders((RECOVER,), game("1:1x2"), 0)
    assert standing.are_valid(game("1:1x2", "recover"), 0)
    assert not standing.are_valid(game("1:1x2", "recover", "2:1x1"), 0)


def test_orders_end_with_the_round() -> None:
    standing = SeatOrders().with_orders((RECOVER,), game("1:1x2"), 1)
    assert standing.are_valid(game("1:1x2"), 1)
    ended = game("1:1x2", "recover", "recover")
    assert ended.round == 2
    assert not standing.are_valid(ended, 1)


def test_what_was_done_stays_told_when_the_orders_are_spent() -> None:
    before = game("1:1x2", "recover")
    after = before.tried("recover")
    standing = SeatOrders().with_orders((RECOVER,), game("1:1x2"), 0).after_move(before, after, 0)
    assert (standing.round, standing.orders) == (None, ())
    assert [(done.round, after.events[done.event].type) for done in standing.done] == [(1, "recover")]


def test_orders_for_offers_outlast_the_last_turn_of_the_seat() -> None:
    orders = RECOVER, Order(When.ALWAYS, None, "decline")
    before = game(players=3)
    standing = SeatOrders().with_orders(orders, before, 0).after_move(before, before.tried("recover"), 0)
    assert standing.orders == orders
    plain = SeatOrders().with_orders(orders[:1], before, 0).after_move(before, before.tried("recover"), 0)
    assert plain.orders == ()


def test_turns_are_counted_to_the_end_of_the_round() -> None:
    assert [turns_left(game().view(seat), seat) for seat in (0, 1)] == [2, 1]
    assert [turns_left(game("recover").view(seat), seat) for seat in (0, 1)] == [1, 1]
    assert [turns_left(game("recover", "recover").view(seat), seat) for seat in (0, 1)] == [1, 0]


def reason(order: Order, played: Game, seat: int = 0) -> Reason | None:
    found = objection(order, played, seat)
    return None if found is None else found.reason


def test_an_objection_is_what_the_rules_would_say_on_the_next_turn() -> None:
    played = game("1:2x3")
    assert reason(Order(When.ALWAYS, None, "2:1x1"), played) is None
    assert reason(Order(When.ALWAYS, None, "2:3x1"), played) is Reason.TOO_FEW_DICE
    assert reason(Order(When.ALWAYS, None, "1:1x6"), played) is Reason.OWN_CARD
    assert reason(Order(When.ALWAYS, None, "2:1x1 3:1x1"), game("recover")) is Reason.ONE_CARD_ONLY


def test_an_objection_thinks_the_case_through() -> None:
    """Dice that were pushed out are home again (R5.7), and the card is held with more than they had."""
    played = game("1:2x3")
    assert reason(Order(When.PUSHED_OFF, 0, "2:3x1"), played) is None
    assert reason(Order(When.PUSHED_OFF, None, "1:2x4"), played) is None
    assert reason(Order(When.PUSHED_OFF, 0, "1:1x6"), played) is Reason.EFFORT_TOO_LOW
    assert reason(Order(When.PUSHED_OFF, 1, "recover"), played) is Reason.NEVER_SO
    assert reason(RECOVER, game("recover", "recover"), seat=1) is Reason.TURNS_OVER
    assert reason(Order(When.ALWAYS, None, "decline"), game("recover", "recover"), seat=1) is None


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (Order(When.FREE, None, "recover"), Reason.WRONG_ORDER),
        (Order(When.ALWAYS, 1, "recover"), Reason.WRONG_ORDER),
        (Order(When.ALWAYS, None, "peek"), Reason.WRONG_ORDER),
        (Order(When.FREE, 3, "recover"), Reason.NO_SUCH_CARD),
        (Order(When.ALWAYS, None, "4:1x1"), Reason.NO_SUCH_CARD),
        (Order(When.ALWAYS, None, "1:1x1 1:1x2"), Reason.CARD_TWICE),
        (Order(When.ALWAYS, None, "1:2x1 2:2x1"), Reason.TOO_FEW_DICE),
    ],
)
def test_what_can_be_no_order_is_refused(order: Order, expected: Reason) -> None:
    with pytest.raises(Refusal) as refused:
        check((RECOVER, order), game().view(1))
    assert refused.value.reason is expected


def test_there_is_an_end_to_orders() -> None:
    check((RECOVER,) * MAX_ORDERS, game().view(1))
    with pytest.raises(Refusal, match=str(MAX_ORDERS)):
        check((RECOVER,) * (MAX_ORDERS + 1), game().view(1))
