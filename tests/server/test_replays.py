"""Replays: of finished games for all who may have the record, and of records that somebody brings along."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Game
from royalcrypt.live.wire.finished_games import MAX_EVENTS
from royalcrypt.server.http.replays import MAX_RECORD_SIZE
from tests.golden.games import GAMES
from tests.server.harness import Host, Json, Person, people, person, play_on, seated, with_server


async def replay_of(someone: Person, table: str, viewer: str | None = None, **more: Any) -> Json:
    query = "" if viewer is None else f"?viewer={viewer}"
    return await someone.ask("GET", f"/api/tables/{table}/replay{query}", **more)


def events_in(replay: Json) -> list[Json]:
    return [event for frame in replay["frames"] for event in frame["events"]]


def test_a_finished_game_can_be_seen_through_anybodys_eyes(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True, collectors="BABBAB")
            await play_on(two, table, random.Random(0))
            record = await two[0].ask("GET", f"/api/tables/{table}/record")
            assert [(await replay_of(one, table))["viewer"] for one in (*two, eve)] == [0, 1, "spectator"]
            for viewer in ("0", "1", "spectator", "all"):
                replay = await replay_of(eve, table, viewer)
                assert str(replay["viewer"]) == viewer
                assert [event["n"] for event in events_in(replay)] == list(range(len(record["events"])))
                assert replay["result"] == record["result"]
                assert replay["invite"] is None
            assert events_in(await replay_of(eve, table, "all")) == record["events"]
            assert "?" in json.dumps(events_in(await replay_of(eve, table, "spectator")))

    with_server(test, tmp_path)


def test_a_game_that_runs_has_no_replay_for_anybody(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await seated(two, is_listed=True)
            await play_on(two, table, random.Random(0), most=3)
            for viewer in (None, "0", "1", "spectator", "all"):
                assert (await replay_of(two[0], table, viewer, status=409))["code"] == "not_over"

    with_server(test, tmp_path)


def test_a_private_game_is_seen_again_with_its_link_which_only_its_players_are_told(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, remembers=False)
            invite = (await two[1].watch(table))["you"]["invite"]
            await play_on(two, table, random.Random(2))
            assert (await replay_of(eve, table, status=404))["code"] == "no_such_table"
            replay = await replay_of(eve, table, headers={"X-Table-Invite": invite})
            assert replay["invite"] is None
            assert (await replay_of(two[1], table))["invite"] == invite
            hidden = replay["frames"][0]["view"]["row"][2]["card"]
            assert hidden["value"] is None
            assert sum(hidden["odds"]) > 0  # when it is over, nobody need remember

    with_server(test, tmp_path)


def test_where_spectators_are_not_wanted_only_those_who_played_see_it_again(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True, spectators=False)
            await play_on(two, table, random.Random(3))
            assert (await replay_of(eve, table, status=403))["code"] == "no_spectators"
            assert (await replay_of(two[1], table))["viewer"] == 1

    with_server(test, tmp_path)


def test_a_replay_never_holds_the_secret_of_chance(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await seated(two)
            await play_on(two, table, random.Random(4))
            secret = (await host.service.tables.table(table)).secret.hex()
            for viewer in ("0", "spectator", "all"):
                assert secret not in json.dumps(await replay_of(two[0], table, viewer))

    with_server(test, tmp_path)


@pytest.mark.parametrize("golden", GAMES, ids=lambda game: f"{game.players} players")
def test_anybody_can_bring_a_record_along(golden: Any, tmp_path: Path) -> None:
    record = json.loads(golden.path.read_text("utf-8"))

    async def test(host: Host) -> None:
        async with host.client() as stranger:
            for viewer in (None, "0", "spectator", "all"):
                query = "" if viewer is None else f"?viewer={viewer}"
                answer = await stranger.post(f"/api/replay{query}", json=record)
                assert answer.status_code == 200, answer.text
                assert str(answer.json()["viewer"]) == (viewer or "all")
                assert answer.json()["result"] == record["result"]
            assert "set-cookie" not in answer.headers

    with_server(test, tmp_path)


def test_a_replay_is_packed_for_those_who_can_unpack_it(tmp_path: Path) -> None:
    record = json.loads(GAMES[3].path.read_text("utf-8"))

    async def test(host: Host) -> None:
        async with host.client() as stranger:
            plain = await stranger.post("/api/replay", json=record, headers={"Accept-Encoding": "identity"})
            packed = await stranger.post("/api/replay", json=record, headers={"Accept-Encoding": "gzip"})
            assert "content-encoding" not in plain.headers
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.content == plain.content
            assert int(packed.headers["content-length"]) < 30_000 < len(plain.content)

    with_server(test, tmp_path)


def tied(times: int) -> Json:
    """A good record, but for a tie that took so many more rolls to break; that is not against the rules."""
    found: Json = json.loads(GAMES[2].path.read_text("utf-8"))
    first = next(n for n, event in enumerate(found["events"]) if event["type"] == "tiebreak")
    again = {seat: [1] * len(faces) for seat, faces in found["events"][first]["rolled"].items()}
    found["events"][first:first] = [{"type": "tiebreak", "rolled": again} for _ in range(times)]
    found["events"] = [event | {"n": n} for n, event in enumerate(found["events"])]
    return found


def broken() -> dict[str, tuple[Json, Json]]:
    """Records that are none, each with what is said of it."""
    good = json.loads(GAMES[1].path.read_text("utf-8"))
    claim = next(n for n, event in enumerate(good["events"]) if event["type"] == "claim")
    too_high: Json = json.loads(json.dumps(good))
    too_high["events"][claim]["place"][0]["effort"] = 7
    short: Json = json.loads(json.dumps(good))
    del short["events"][-1]
    deep: Json = json.loads(json.dumps(good))
    deep["result"] = json.loads('{"a":' * 900 + "1" + "}" * 900)
    boast: Json = json.loads(json.dumps(good))
    boast["result"]["scores"][0] += 1
    heap: Json = json.loads(json.dumps(good))
    heap["events"][0] |= {"row": ["I1"] * 10_000, "down": [9] * 20_000}
    chatty: Json = good | {"moves": [[0, "x" * 100_000]]}
    del chatty["result"]
    return {
        "nothing": ({}, {"code": "not_a_record", "n": -1, "field": "format"}),
        "a wrong version": (good | {"version": 9}, {"code": "wrong_version"}),
        "effort 7": (too_high, {"code": "broken_rule", "n": claim, "rule": "wrong_effort", "effort": 7}),
        "no end": (short, {"code": "missing_event", "n": len(short["events"])}),
        "another result": (boast, {"code": "wrong_result"}),
        "an abyss": (deep, {"code": "wrong_result"}),
        "a tie without end": (tied(MAX_EVENTS), {"code": "not_a_record", "n": -1, "field": "events"}),
        "more cards than there are": (heap, {"code": "not_a_record", "n": 0, "field": "row"}),
        "a long move": (chatty, {"code": "broken_rule"}),
        "long rules": (good | {"rules": "x" * 100_000}, {"code": "wrong_rules"}),
        "one viewer's": (Game.new(seed=1).record_for(0).to_dict(), {"code": "viewers_record"}),
    }


@pytest.mark.parametrize("name", broken())
def test_a_bad_record_is_answered_by_the_event_and_the_rule_it_breaks(name: str, tmp_path: Path) -> None:
    record, expected = broken()[name]

    async def test(host: Host) -> None:
        async with host.client() as stranger:
            answer = await stranger.post("/api/replay", json=record)
            assert answer.status_code == 400, answer.text
            found = answer.json()
            assert (found["details"] | {"code": found["code"]}).items() >= expected.items()
            assert len(answer.content) < 5_000

    with_server(test, tmp_path)


def test_a_record_may_be_longer_than_other_messages_but_not_endless(tmp_path: Path) -> None:
    record = json.loads(GAMES[3].path.read_text("utf-8"))

    async def test(host: Host) -> None:
        async with host.client() as stranger:
            long = record | {"remark": "x" * (MAX_RECORD_SIZE // 2)}
            assert (await stranger.post("/api/replay", json=long)).status_code == 200
            answer = await stranger.post("/api/replay", json=record | {"remark": "x" * MAX_RECORD_SIZE})
            assert answer.status_code == 413
            assert answer.json()["details"] == {"most": MAX_RECORD_SIZE}

    with_server(test, tmp_path)


def test_a_tie_may_take_long_to_break(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            answer = await stranger.post("/api/replay", json=tied(50))
            assert answer.status_code == 200
            assert len(answer.json()["frames"]) > 50

    with_server(test, tmp_path)


def test_what_is_nested_too_deeply_is_not_read(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            deep = b'{"format":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
            answer = await stranger.post(
                "/api/replay", content=deep, headers={"Content-Type": "application/json"}
            )
            assert (answer.status_code, answer.json()["code"]) == (400, "not_a_message")

    with_server(test, tmp_path)


def test_viewers_that_cannot_be_are_refused(tmp_path: Path) -> None:
    record = json.loads(GAMES[0].path.read_text("utf-8"))

    async def test(host: Host) -> None:
        async with host.client() as stranger:
            for viewer, code in (("4", "not_a_message"), ("me", "not_a_message"), ("1", "wrong_seat")):
                answer = await stranger.post(f"/api/replay?viewer={viewer}", json=record)
                assert (answer.status_code, answer.json()["code"]) == (400, code), viewer

    with_server(test, tmp_path)


def test_on_a_server_for_invited_people_strangers_bring_no_records(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger, person(host, is_connected=False) as ada:
            boss = host.host_headers()
            await stranger.put("/api/host/rules", json={"is_invite_only": True}, headers=boss)
            assert (await stranger.post("/api/replay", json={})).json()["code"] == "invite_only"
            assert (await ada.ask("POST", "/api/replay", {}, status=400))["code"] == "not_a_record"

    with_server(test, tmp_path)


def test_whoever_brings_too_many_records_has_to_wait(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            statuses = [(await stranger.post("/api/replay", json={})).status_code for _ in range(40)]
            assert statuses[0] == 400
            assert statuses[-1] == 429

    with_server(test, tmp_path, rate_limits=True)
