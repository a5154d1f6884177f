"""Playing again: the same people in the same seats, the torches moved on."""

import pytest

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Followed, Opened, Sitter
from royalcrypt.tables.settings import BotChoice
from royalcrypt.tables.table import Place, Table
from tests.tables.leading import ADA, BO, CLEO, NOON, ended, moved, sat, started


def again(table: Table, person: str = "ada", *, instead_of: str | None = None) -> tuple[Followed, Opened]:
    return commands.rematch(table, person, "next", instead_of=instead_of, now=NOON)


def why_not(table: Table, person: str) -> Reason:
    with pytest.raises(Refusal) as refused:
        again(table, person)
    return refused.value.reason


def test_everybodys_seat_is_kept_and_whoever_asks_owns_the_table() -> None:
    over = ended(started(ADA, BO, ADA))
    followed, opened = again(over, "bo")
    assert opened.reserved == (ADA, BO, ADA)
    assert (opened.owner, opened.follows, followed.table) == ("bo", "table", "next")
    table = Table("next").after(opened)
    assert [place.reserved_for for place in table.seats] == ["ada", "bo", "ada"]
    assert over.after(followed).followed_by == "next"


@pytest.mark.parametrize(("leader", "next_leader"), [(0, 1), (1, 2), (2, 0)])
def test_the_torches_move_on_by_one_seat(leader: int, next_leader: int) -> None:
    over = ended(started(ADA, BO, CLEO, leader=leader))
    _, opened = again(over)
    assert opened.settings.leader == next_leader


def test_torches_that_were_drawn_move_on_from_where_they_fell() -> None:
    over = ended(started(ADA, BO, CLEO, leader="random"))
    _, opened = again(over)
    assert opened.settings.leader == (over.leader + 1) % 3


def test_against_the_ghost_one_begins_again() -> None:
    _, opened = again(ended(started(ADA, players=1)))
    assert opened.settings.leader == 0
    table = sat(Table("next").after(opened), ADA, 0)
    assert table.after(commands.start(table, "ada", now=NOON)).actor == 0


def test_bots_stay_and_all_else_is_as_it_was() -> None:
    over = ended(
        started(
            ADA, players=2, collectors="?BABAB", clock={"kind": "days"}, bots=[{"seat": 1, "level": "random"}]
        )
    )
    _, opened = again(over)
    assert opened.settings.bots == (BotChoice(1, "random"),)
    assert opened.reserved == (ADA, None)
    kept = ("players", "collectors", "clock", "is_listed", "spectators", "remembers")
    assert all(getattr(opened.settings, name) == getattr(over.settings, name) for name in kept)


def test_a_bot_that_was_seated_later_stays_too() -> None:
    table = started(ADA, players=2, bots=[{"seat": 1, "level": "random"}])
    table.seats[1] = Place(level="greedy", name="greedy")
    assert again(ended(table))[1].settings.bots == (BotChoice(1, "greedy"),)


def test_whoever_was_away_is_kept_a_seat_as_well() -> None:
    table = started(ADA, BO)
    away = table.after(commands.leave(table, "bo", now=NOON))
    assert again(ended(away))[1].reserved == (ADA, Sitter("bo", "Bo"))


def test_secret_and_link_are_new() -> None:
    over = ended(started(ADA, BO))
    _, opened = again(over)
    assert opened.secret != over.secret.hex()
    assert opened.invite != over.invite


def test_a_rematch_is_for_those_who_played_and_after_the_end() -> None:
    over = ended(started(ADA, BO))
    assert why_not(over, "cleo") is Reason.NOT_SEATED
    assert why_not(moved(started(ADA, BO)), "ada") is Reason.ALREADY_STARTED


def test_there_is_one_rematch_until_it_has_come_to_nothing() -> None:
    over = ended(started(ADA, BO))
    followed = over.after(again(over)[0])
    assert why_not(followed, "bo") is Reason.ALREADY_DONE
    assert again(followed, "bo", instead_of="next")[1].owner == "bo"
    with pytest.raises(Refusal):
        again(followed, "bo", instead_of="another")
