"""``royalcrypt connect`` plays on whatever happens to the messages that it follows."""

import asyncio
import contextlib
from itertools import count
from typing import Any

import pytest

from royalcrypt.cli import bot_client
from royalcrypt.cli.bot_client import ServerClient
from tests.cli.faulty_server import CUT, SEAT, TABLE, FaultyServer, Json, Spoil


def play(spoil: Spoil, *, players: int = 3, refusals: tuple[Json, ...] = ()) -> FaultyServer:
    server = FaultyServer(spoil, players=players)
    server.refusals += refusals
    asyncio.run(server.host("random"))
    assert server.game.is_over
    return server


def every(number: int, replace: Spoil) -> Spoil:
    """Replace every so manieth update."""
    numbers = count(1)
    return lambda update: replace(update) if next(numbers) % number == 0 else [update]


def sound(update: Json) -> list[Json]:
    return [update]


def lost(update: Json) -> list[Json]:
    """Lose an update, if another will follow it before the program's turn."""
    return [update] if update["changes"].get("actor", SEAT) == SEAT else []


def watched_since(server: FaultyServer) -> list[int]:
    return [message["since"] for message in server.asked("watch")]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_game_takes_one_watch_and_no_refusal(players: int) -> None:
    server = play(sound, players=players)
    assert watched_since(server) == [0]
    assert not server.refused


def repeated(update: Json) -> list[Json]:
    return [update, update]


@pytest.mark.parametrize("fault", [lost, repeated])
def test_after_a_gap_or_a_repetition_it_asks_for_the_missing_events_only(fault: Spoil) -> None:
    server = play(every(3, fault))
    first, *later = watched_since(server)
    assert first == 0
    assert len(later) > 3
    assert min(later) > 0
    assert not server.refused


def without_first_event(update: Json) -> list[Json]:
    return [update | {"events": update["events"][1:]}]


def with_other_scores(update: Json) -> list[Json]:
    return [update | {"changes": update["changes"] | {"scores": [99, 99, 99]}}]


@pytest.mark.parametrize("fault", [without_first_event, with_other_scores])
def test_when_its_game_differs_from_the_servers_it_asks_for_all_events(fault: Spoil) -> None:
    server = play(every(4, fault))
    since = watched_since(server)
    assert len(since) > 3
    assert set(since) == {0}
    assert "connect.refused" not in server.reported


def test_after_a_lost_connection_it_asks_for_the_missing_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_client, "FIRST_PAUSE", 0.01)
    server = play(every(15, lambda update: [update, CUT]))
    first, *later = watched_since(server)
    assert first == 0
    assert later
    assert min(later) > 0
    assert server.reported.count("connect.lost") == len(later)


@pytest.mark.parametrize("refusals", [1, 3, 20])
def test_a_move_sent_too_fast_is_made_after_the_pause(monkeypatch: pytest.MonkeyPatch, refusals: int) -> None:
    monkeypatch.setattr(bot_client, "WATCH_PAUSE", 0.01)
    server = play(sound, refusals=(FaultyServer.refusal("too_fast"),) * refusals)
    assert server.reported.count("connect.refused") == refusals
    assert 1 < len(watched_since(server)) <= refusals + 1


@pytest.mark.parametrize("refusals", [1, 3])
def test_while_the_storage_is_silent_the_same_move_is_sent_again(
    monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    for pause in ("WATCH_PAUSE", "SILENT_PAUSE"):
        monkeypatch.setattr(bot_client, pause, 0.01)
    silent = FaultyServer.refusal("storage_silent", table=TABLE)
    server = play(sound, refusals=(silent | {"ply": 3},) * refusals)
    first, *again = server.asked("act")[: refusals + 1]
    assert again == [first] * refusals
    assert server.reported.count("connect.refused") == refusals
    assert not server.refused


def test_a_move_that_was_kept_in_silence_is_not_made_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("WATCH_PAUSE", "SILENT_PAUSE"):
        monkeypatch.setattr(bot_client, pause, 0.01)
    server = FaultyServer(sound)
    keep = server.act

    def keep_silently(message: Json) -> list[Json]:
        if len(server.asked("act")) == 1:
            keep(message)
            return [server.refusal("storage_silent", table=TABLE, ply=message["ply"])]
        return keep(message)

    monkeypatch.setattr(server, "act", keep_silently)
    asyncio.run(server.host("random"))
    assert server.game.is_over
    assert not server.refused


def test_after_a_refusal_with_a_newer_ply_it_decides_again() -> None:
    server = FaultyServer(sound)
    server.refusals.append(server.refusal("stale", table=TABLE, ply=server.ply + 1))
    asyncio.run(server.host("random"))
    assert server.game.is_over
    assert watched_since(server) == [0, 1]


def test_a_table_that_contradicts_itself_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(_: ServerClient, method: str, path: str, *_rest: Any, **_more: Any) -> Json:
        asked.append(f"{method} {path}")
        return {}

    class Wrong(FaultyServer):
        def shown(self, since: int) -> Json:
            found = super().shown(since)
            return found | {"view": found["view"] | {"decisions": 99}}

    async def test(server: Wrong) -> None:
        playing = asyncio.create_task(server.host("random"))
        while not asked:  # noqa: ASYNC110 (another thread asks)
            await asyncio.sleep(0.01)
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    monkeypatch.setattr(ServerClient, "ask", ask)
    server = Wrong(sound)
    asyncio.run(test(server))
    assert asked == [f"POST /tables/{TABLE}/leave"]
    assert watched_since(server) == [0]
    assert server.reported == ["connect.refused"]
