"""What if? Lines from a moment of a finished game, against bots."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Game
from royalcrypt.live.wire.finished_games import MAX_MOVE_LENGTH, MAX_MOVES, MAX_SEED
from tests.e2e.knowledge import leaks
from tests.golden.games import GAMES
from tests.server.harness import Host, Json, Person, any_action, people, person, play_on, seated, with_server

RECORD: Json = json.loads(GAMES[2].path.read_text("utf-8"))
LEADER: int = RECORD["game"]["leader"]
FIRST: Json = {"move": 0, "seat": 0, "level": "random", "seed": 7}


async def explored(someone: Person, asked: Json, status: int = 200, table: str | None = None) -> Json:
    path = "/api/line" if table is None else f"/api/tables/{table}/line"
    return await someone.ask("POST", path, asked, status=status)


def events_in(answer: Json) -> list[Json]:
    return [event for frame in answer["frames"] for event in frame["events"]]


async def explore_to_the_end(someone: Person, asked: Json, table: str | None = None) -> list[Json]:
    """All answers, with each asking for no more than is new."""
    chance = random.Random(3)
    answers = [await explored(someone, asked, table=table)]
    while answers[-1]["result"] is None:
        view, line = answers[-1]["view"], answers[-1]["line"]
        assert view["actor"] == view["seat"] == asked["seat"]
        since = sum(len(events_in(answer)) for answer in answers)
        more = {"line": line, "actions": [any_action(view, chance)], "since": since}
        answers.append(await explored(someone, asked | more, table=table))
        assert answers[-1]["line"][: len(line)] == line
        assert answers[-1]["line"][len(line)]["seat"] == asked["seat"]
    return answers


@pytest.mark.parametrize("golden", GAMES, ids=lambda game: f"{game.players} players")
def test_a_line_is_played_from_a_moment_to_the_end_against_bots(golden: Any, tmp_path: Path) -> None:
    record = json.loads(golden.path.read_text("utf-8"))
    moment = 2 * len(Game.from_record(record).moves) // 3

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for chance in ("same", "new"):
                own = {"record": record, "move": moment, "seat": golden.players - 1, "chance": chance}
                answers = await explore_to_the_end(ada, FIRST | own)
                events = [event for answer in answers for event in events_in(answer)]
                assert [event["n"] for event in events] == list(range(len(events)))
                assert len(answers[-1]["result"]["scores"]) == golden.players
                again = await explored(ada, FIRST | own | {"line": answers[-1]["line"]})
                assert events_in(again)[-1] == events[-1]
                assert again["result"] == answers[-1]["result"]

    with_server(test, tmp_path)


def test_of_a_finished_table_everybody_who_may_have_its_record_explores_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two)
            await play_on(two, table, random.Random(0), most=4)
            assert (await explored(two[0], FIRST, 409, table))["code"] == "not_over"
            assert (await explored(eve, FIRST, 404, table))["code"] == "no_such_table"
            await play_on(two, table, random.Random(0))
            assert (await explored(eve, FIRST, 404, table))["code"] == "no_such_table"
            answer = await explored(two[1], FIRST | {"seat": 1}, table=table)
            assert (answer["view"]["seat"], answer["view"]["actor"]) == (1, 1)
            assert answer["view"]["form"] is not None

    with_server(test, tmp_path)


def test_nothing_that_comes_holds_a_card_that_the_seat_could_not_know(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as three:
            table = await seated(three, collectors="BBBBBB")
            await play_on(three, table, random.Random(0))
            secret = (await host.service.tables.table(table)).secret.hex()
            for seat in range(3):
                asked = FIRST | {"move": 5, "seat": seat}
                answers = await explore_to_the_end(three[0], asked, table)
                assert secret not in json.dumps(answers)
                truth = await truth_of(host, table, asked | {"line": answers[-1]["line"]})
                heard = [
                    json.dumps({"table": "it", "you": {"seat": seat}} | frame)
                    for answer in answers
                    for frame in [*answer["frames"], {"events": list[Json](), "view": answer["view"]}]
                ]
                assert "?" in "".join(heard)
                assert list(leaks(truth, heard, "it")) == []

    with_server(test, tmp_path)


async def truth_of(host: Host, table: str, asked: Json) -> Json:
    """The record of a line, with everything in it."""
    game = (await host.service.tables.table(table)).game
    assert game
    again = Game(game.start, game.chance, game.seats)
    for seat, move in game.moves[: asked["move"]]:
        again.play(move, seat=seat)
    for made in asked["line"]:
        again.play(made["move"], seat=made["seat"])
    return json.loads(again.record().to_json())


BAD: dict[str, tuple[Json, int, str]] = {
    "no move": ({"move": -1}, 400, "not_a_message"),
    "a move that was never made": ({"move": 400}, 409, "game_over"),
    "a seat too many": ({"seat": 3}, 400, "wrong_seat"),
    "no seat at all": ({"seat": 4}, 400, "not_a_message"),
    "a bot that nobody knows": ({"level": "nobody"}, 400, "no_such_bot"),
    "a bot by a path": ({"level": "os:system"}, 400, "no_such_bot"),
    "another kind of chance": ({"chance": "good"}, 400, "not_a_message"),
    "a seed without end": ({"seed": MAX_SEED + 1}, 400, "not_a_message"),
    "text for a number": ({"seed": "7"}, 400, "not_a_message"),
    "a field too many": ({"state": {}}, 400, "not_a_message"),
    "a line without end": (
        {"line": [{"seat": 0, "move": "recover"}] * (MAX_MOVES + 1)},
        400,
        "not_a_message",
    ),
    "a long move": ({"line": [{"seat": 0, "move": "1" * (MAX_MOVE_LENGTH + 1)}]}, 400, "not_a_message"),
    "a line against the rules": ({"line": [{"seat": LEADER, "move": "1:3x7"}]}, 409, "wrong_effort"),
    "a line that is none": ({"line": [{"seat": 0, "move": "dance"}]}, 409, "not_a_move"),
    "an illegal move": (
        {"actions": [{"do": "claim", "place": [{"slot": 5, "dice": 1, "effort": 1}]}]},
        409,
        "no_such_card",
    ),
    "half a move": ({"actions": [{"do": "claim"}]}, 400, "not_a_message"),
    "no record": ({"record": {}}, 400, "not_a_record"),
    "an abyss": (
        {"record": RECORD | {"result": json.loads('{"a":' * 900 + "1" + "}" * 900)}},
        400,
        "wrong_result",
    ),
}


def test_what_cannot_be_explored_is_refused_with_its_reason(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for name, (wrong, status, code) in BAD.items():
                asked = FIRST | {"record": RECORD, "seat": LEADER} | wrong
                answer = await explored(ada, asked, status)
                assert answer["code"] == code, name
                assert len(json.dumps(answer)) < 5_000

    with_server(test, tmp_path)


def test_strangers_explore_records_unless_only_invited_people_are_let_in(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            asked = FIRST | {"record": RECORD}
            assert (await stranger.post("/api/line", json=asked)).status_code == 200
            boss = host.host_headers()
            await stranger.put("/api/host/rules", json={"is_invite_only": True}, headers=boss)
            assert (await stranger.post("/api/line", json=asked)).json()["code"] == "invite_only"

    with_server(test, tmp_path)
