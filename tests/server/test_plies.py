"""Moves over the socket: each answers to a ply, and what is refused comes with a reason and a fresh view."""

from pathlib import Path

from tests.server.dealing import ANY_TIME, all_caught_up, any_time_action, dealt, until_any_time
from tests.server.harness import Host, Json, Person, people, person, seated, with_server

RECOVER: Json = {"do": "recover"}
TOO_FAR: Json = {"do": "claim", "place": [{"slot": 5, "dice": 1, "effort": 1}]}


async def fresh_view(someone: Person, table: str) -> Json:
    return (await someone.watch(table))["view"]


async def check_refused(someone: Person, table: str, answer: Json, code: str, ply: int) -> None:
    assert (answer["type"], answer["reason"]["code"]) == ("refused", code), answer
    assert answer["reason"]["text"]
    assert (answer["table"], answer["ply"]) == (table, ply)
    assert answer["view"] == await fresh_view(someone, table)


def test_a_move_is_told_to_all_at_the_table_and_answered_to_its_sender(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            table = await seated(three, leader=0)
            ply = three[0].ply
            answer = await three[0].act(table, RECOVER)
            assert (answer["type"], answer["ply"]) == ("update", ply + 1)
            assert [event["type"] for event in answer["events"]] == ["recover"]
            assert answer["events"][0]["n"] == 1
            for other in three[1:]:
                told = await other.hear("update")
                assert (told["ply"], told["events"]) == (ply + 1, answer["events"])
                assert "re" not in told
                assert other.view["seat"] != three[0].view["seat"]
            assert three[1].view["actions"]
            assert not three[2].view["actions"]

    with_server(test, tmp_path)


def test_stale_repeated_early_and_illegal_moves_are_refused_with_a_fresh_view(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)
            start = ada.ply
            await check_refused(ada, table, await ada.act(table, RECOVER, ply=start + 1), "ply_ahead", start)
            await check_refused(bo, table, await bo.act(table, RECOVER), "not_your_turn", start)
            await check_refused(ada, table, await ada.act(table, {"do": "decline"}), "not_now", start)
            await check_refused(ada, table, await ada.act(table, TOO_FAR), "no_such_card", start)
            assert (await ada.act(table, RECOVER))["type"] == "update"
            again = await ada.act(table, RECOVER, ply=start)
            await check_refused(ada, table, again, "already_done", start + 1)
            await all_caught_up(two, start + 1)
            await bo.act(table, RECOVER)
            await all_caught_up(two, start + 2)
            await check_refused(ada, table, await ada.act(table, TOO_FAR, ply=start), "stale", start + 2)
            assert (await host.service.tables.table(table)).ply == start + 2

    with_server(test, tmp_path)


def test_of_several_actions_all_happen_or_none(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await dealt(host, two, collectors=ANY_TIME)
            await until_any_time(two, table, 0)
            ada = two[0]
            first = any_time_action(ada.view)
            assert first is not None
            before, ply = ada.view, ada.ply
            refused = await ada.act(table, first, TOO_FAR)
            assert refused["view"] == before
            await check_refused(ada, table, refused, "no_such_card", ply)
            made = await ada.act(table, first, RECOVER)
            assert [event["type"] for event in made["events"][:2]] == [first["do"], "recover"]
            assert made["ply"] == ply + 1

    with_server(test, tmp_path)


def test_any_time_actions_out_of_turn_are_made_and_do_not_make_others_stale(tmp_path: Path) -> None:
    """R9.1."""

    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await dealt(host, two, collectors=ANY_TIME)
            await until_any_time(two, table, 1)
            aside = any_time_action(bo.view)
            assert aside is not None
            ply = bo.ply
            made = await bo.act(table, aside)
            assert (made["type"], bo.view["actor"]) == ("update", 0), made
            repeated = await bo.act(table, aside, ply=ply)
            await check_refused(bo, table, repeated, "already_done", ply + 1)
            behind = await ada.act(table, RECOVER, ply=ply)
            assert (behind["type"], behind["ply"]) == ("update", ply + 2), behind

    with_server(test, tmp_path)


def test_out_of_turn_actions_of_two_at_the_same_ply_are_both_made(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            table = await dealt(host, three, collectors=ANY_TIME)
            await until_any_time(three, table, 1, 2, seed=4)
            ply = three[0].ply
            for seat in (1, 2):
                aside = any_time_action(three[seat].view)
                assert aside is not None
                made = await three[seat].act(table, aside, ply=ply)
                assert made["type"] == "update", made
            await all_caught_up(three, ply + 2)
            assert (await three[0].act(table, RECOVER, ply=ply))["ply"] == ply + 3

    with_server(test, tmp_path)


def test_nobody_moves_for_a_seat_that_is_not_theirs(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, leader=0, is_listed=True)
            assert (await eve.act(table, RECOVER, ply=two[0].ply))["reason"]["code"] == "not_watching"
            await eve.watch(table)
            assert (await eve.act(table, RECOVER))["reason"]["code"] == "not_seated"
            for seat, code in ((0, "not_your_seat"), (1, "not_your_seat"), (3, "wrong_seat")):
                answer = await eve.act(table, RECOVER, seat=seat)
                assert answer["reason"]["code"] == code
                assert answer["view"]["seat"] is None
            assert (await host.service.tables.table(table)).ply == two[0].ply

    with_server(test, tmp_path)


def test_who_shares_a_screen_sees_one_seat_at_a_time_and_moves_for_each(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            opened = await ada.open_table(players=2, sit=(0, 1), leader=0, start=True)
            table = opened["info"]["table"]
            shown = await ada.watch(table)
            assert (shown["you"]["seats"], shown["you"]["seat"]) == ([0, 1], None)
            assert shown["view"]["seat"] is None, "nobody has said who looks"
            assert (await ada.watch(table, seat=0))["view"]["seat"] == 0
            await ada.act(table, RECOVER)
            assert (ada.view["seat"], ada.view["actor"]) == (0, 1)
            assert not ada.view["actions"]
            other = await ada.watch(table, seat=1)
            assert (other["you"]["seat"], other["view"]["seat"]) == (1, 1)
            await ada.act(table, RECOVER)
            assert ada.view["actor"] == 0
            assert (await ada.watch(table))["you"]["seat"] is None
            by_name = await ada.act(table, RECOVER, seat=0)
            assert (by_name["type"], ada.view["seat"]) == ("update", None)
            refused = await ada.watch(table, seat=2)
            assert refused["reason"]["code"] == "not_your_seat"

    with_server(test, tmp_path)


def test_moves_wait_for_the_start_and_end_with_the_game(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            opened = await ada.open_table(players=1, sit=(0,))
            table = opened["info"]["table"]
            shown = await ada.watch(table)
            assert (shown["view"], shown["events"]) == (None, [])
            early = await ada.act(table, RECOVER)
            assert (early["reason"]["code"], "view" in early) == ("not_started", False)
            await ada.post(f"/api/tables/{table}/start")
            begun = await ada.hear("update")
            assert (begun["info"]["status"], begun["events"][0]["type"]) == ("running", "reveal")
            while ada.view["phase"] != "over":
                answer = await ada.act(table, {"do": "recover"})
                assert answer["type"] == "update", answer
            late = await ada.act(table, RECOVER)
            assert (late["reason"]["code"], late["view"]["phase"]) == ("game_over", "over")

    with_server(test, tmp_path)
