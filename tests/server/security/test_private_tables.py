"""Without its link a private table does not exist: it is refused word for word like one that never was."""

from pathlib import Path
from typing import Any

import httpx

from tests.server.harness import Host, Json, Person, with_server
from tests.server.security.cast import ACTORS, Cast, cast
from tests.server.security.test_endpoints import BODIES, ROWS

NOT_THERE = "never-was1"
STATES = ("open", "full", "running", "away", "over", "closed")
OUTSIDERS = [actor for actor in ACTORS if actor not in ("invited", "seated", "owner", "host")]
AT_TABLES = sorted(
    {(row.method, row.path, row.endpoint) for row in ROWS if "/api/tables/{table_id}" in row.path}
)


def seen(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    """All there is to see, but for the time."""
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, headers, answer.content


async def both(people: Cast, method: str, path: str, **options: Any) -> None:
    """Ask about the table, and about one that does not exist."""
    assert people.table is not None
    answers = [
        seen(await people.http.request(method, path.format(table_id=table_id), **options))
        for table_id in (people.table.id, NOT_THERE)
    ]
    assert answers[0] == answers[1], (method, path)
    assert answers[0][0] in (401, 403, 404)


def test_over_rest_a_private_table_looks_like_none(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with cast(host) as people:
            for state in STATES:
                await people.set_table(state)
                for method, path, endpoint in AT_TABLES:
                    for actor in OUTSIDERS if state == "running" else ("stranger", "spectator"):
                        body, headers = BODIES.get(endpoint), people.headers[actor]
                        await both(people, method, path, json=body, headers=headers)
                    guess = people.headers["stranger"] | {"X-Table-Invite": "guessed"}
                    await both(people, method, path, json=BODIES.get(endpoint), headers=guess)

    with_server(test, tmp_path)


WORDS: tuple[Json, ...] = (
    {"type": "watch"},
    {"type": "watch", "invite": "guessed"},
    {"type": "watch", "seat": 0},
    {"type": "watch", "since": 3},
    {"type": "unwatch"},
    {"type": "act", "ply": 0, "actions": [{"do": "recover"}]},
    {"type": "act", "ply": 0, "seat": 0, "actions": [{"do": "recover"}]},
    {"type": "say", "text": "is anybody there?"},
    {"type": "react", "reaction": "hello"},
)


async def answers_to(someone: Person, table: str) -> list[Json]:
    answers: list[Json] = []
    for words in WORDS:
        answer = await someone.tell(table=table, **words)
        answers.append({name: value for name, value in answer.items() if name not in ("re", "now")})
    return answers


def test_over_the_socket_a_private_table_looks_like_none(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        name = host.service.identities.cookie_name
        async with cast(host) as people, host.client(cookies={name: people.cookies["stranger"]}) as http:
            stranger = Person(host, http, "stranger")
            await stranger.connect()
            for state in STATES:
                table = await people.set_table(state)
                there, nowhere = await answers_to(stranger, table.id), await answers_to(stranger, NOT_THERE)
                assert there == nowhere
                assert [answer.get("reason", {}).get("code") for answer in there] == [
                    *["no_such_table"] * 4, None, *["not_watching"] * 4
                ]  # fmt: skip
            await stranger.disconnect()

    with_server(test, tmp_path)


def test_private_tables_are_in_nobodys_lists_but_their_players(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with cast(host) as people:
            for state in STATES:
                table = await people.set_table(state)
                for actor in ("nobody", "stranger", "invited", "spectator"):
                    for path in ("/api/tables", "/api/me/games", "/api/me/records"):
                        assert table.id not in (await people.ask(actor, "GET", path)).text, (state, path)
                is_shown = state != "closed"
                for actor in ("seated", "owner"):
                    assert (table.id in (await people.ask(actor, "GET", "/api/me/games")).text) == is_shown
            following = await people.watcher.tell(type="follow", lobby=True, games=True)
            assert following["type"] == "done"
            lists = [raw for raw in people.watcher.received if b'"type":"lobby"' in raw or b'"games"' in raw]
            assert len(lists) == 2
            assert people.table is not None
            assert not any(people.table.id.encode() in raw for raw in lists)

    with_server(test, tmp_path)


def test_a_table_without_spectators_is_closed_to_those_with_its_link_once_it_runs(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with cast(host) as people:
            for state, status in (("full", 200), ("running", 403), ("over", 403)):
                table = await people.set_table(state, spectators=False)
                answer = await people.ask("invited", "GET", f"/api/tables/{table.id}")
                assert answer.status_code == status
                if status == 403:
                    assert answer.json()["code"] == "no_spectators"
                    record = await people.ask("invited", "GET", f"/api/tables/{table.id}/record")
                    assert record.status_code == 403
                    watching = await people.watcher.watch(table.id, invite=table.invite)
                    assert watching["reason"]["code"] == "no_spectators"
            assert sum(b'"type":"gone"' in raw for raw in people.watcher.received) == 2, (
                "sent out at the start"
            )

    with_server(test, tmp_path)
