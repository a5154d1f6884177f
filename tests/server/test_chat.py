"""Chat and quick reactions: plain text, apart for spectators, muted and slowed down where need be."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from royalcrypt.live.stores import StoredChatLine
from royalcrypt.server.limits import TALK
from royalcrypt.tables.texts import Audience
from tests.server.harness import Host, Json, Person, people, person, seated, with_server


async def nothing_said(someone: Person) -> None:
    """Neither talk nor reactions are on their way."""
    number = await someone.send(type="ping")
    while (message := await someone.hear_any()).get("re") != number:
        assert message["type"] not in ("said", "reacted"), message


def test_players_talk_to_all_and_spectators_among_themselves(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 4) as (ada, bo, eve, finn):
            table = await seated([ada, bo], is_listed=True)
            for spectator in (eve, finn):
                await spectator.watch(table)
            assert (await ada.tell(type="say", table=table, text="good luck"))["type"] == "done"
            for reader in (bo, eve, finn):
                line = (await reader.hear("said"))["line"]
                assert (line["text"], line["name"], line["audience"]) == ("good luck", "Ada", "table")
            await eve.tell(type="say", table=table, text="take card 1!")
            line = (await finn.hear("said"))["line"]
            assert (line["text"], line["audience"]) == ("take card 1!", "spectators")
            await eve.tell(type="react", table=table, reaction="ouch")
            assert (await finn.hear("reacted"))["audience"] == "spectators"
            for player in (ada, bo):
                await nothing_said(player)
            await bo.tell(type="react", table=table, reaction="bravo")
            for reader in (ada, eve, finn):
                heard = await reader.hear("reacted")
                assert (heard["name"], heard["reaction"], heard["audience"]) == ("Bo", "bravo", "table")

    with_server(test, tmp_path)


def test_who_comes_later_reads_what_was_said_as_far_as_it_is_for_them(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, eve):
            table = await seated([ada, bo], is_listed=True)
            await eve.watch(table)
            await ada.tell(type="say", table=table, text="one")
            await eve.tell(type="say", table=table, text="two")
            await bo.tell(type="say", table=table, text="three")
            assert told(await eve.watch(table)) == ["table: one", "spectators: two", "table: three"]
            assert told(await bo.watch(table)) == ["table: one", "table: three"]

    def told(shown: Json) -> list[str]:
        return [f"{line['audience']}: {line['text']}" for line in shown["chat"]]

    with_server(test, tmp_path)


def test_who_comes_while_others_talk_misses_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            await bo.tell(type="unwatch", table=table)

            async def talk() -> None:
                for number in range(40):
                    await ada.tell(type="say", table=table, text=str(number))

            talking = asyncio.create_task(talk())
            while not talking.done():
                await bo.watch(table)
                await bo.tell(type="unwatch", table=table)
            await talking
            shown = await bo.watch(table)
            assert [line["text"] for line in shown["chat"]] == [str(number) for number in range(40)]
            check_each_visit(bo)

    def check_each_visit(reader: Person) -> None:
        """From each visit's list on, lines come without a gap; one may be in the list and come after it."""
        heard: list[int] = []
        for raw in reader.received:
            message = msgspec.json.decode(raw)
            if message["type"] == "shown":
                heard = [int(line["text"]) for line in message["chat"]]
                assert heard == list(range(len(heard)))
            elif message["type"] == "said":
                number = int(message["line"]["text"])
                assert number <= len(heard)
                heard += [number] if number == len(heard) else []

    with_server(test, tmp_path)


def test_what_is_said_while_the_lines_are_read_is_not_missed(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            await bo.tell(type="unwatch", table=table)
            chat = host.service.chat_lines
            recent = chat.recent

            async def slowly(table: str, audience: Audience, *, limit: int) -> list[StoredChatLine]:
                found = await recent(table, audience, limit=limit)
                chat.recent = recent
                await ada.tell(type="say", table=table, text="just now")
                return found

            chat.recent = slowly  # pyright: ignore[reportAttributeAccessIssue]
            assert [line["text"] for line in (await bo.watch(table))["chat"]] == ["just now"]

    with_server(test, tmp_path)


def test_what_is_said_is_plain_text_of_some_length(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            for text in ("", " \u200b ", "x" * 301):
                refused = await ada.tell(type="say", table=table, text=text)
                assert refused["reason"]["code"] == "wrong_chat"
            await ada.tell(type="say", table=table, text="<b>hi</b>\n\u202eyou\x07")
            assert (await bo.hear("said"))["line"]["text"] == "<b>hi</b> you"
            await nothing_said(bo)

    with_server(test, tmp_path)


def test_one_talks_only_at_a_table_one_has_open(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two, is_listed=True)
            for message in ({"type": "say", "text": "hi"}, {"type": "react", "reaction": "hello"}):
                refused = await eve.tell(table=table, **message)
                assert refused["reason"]["code"] == "not_watching"
            await nothing_said(two[0])

    with_server(test, tmp_path)


def test_who_is_muted_reads_and_plays_on_in_silence(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two, leader=0)

            async def mute(*, on: bool) -> None:
                await ada.ask(
                    "PUT", f"/api/host/people/{ada.id}/mute", {"on": on}, headers=host.host_headers()
                )

            await mute(on=True)
            for message in ({"type": "say", "text": "hi"}, {"type": "react", "reaction": "hello"}):
                assert (await ada.tell(table=table, **message))["reason"]["code"] == "muted"
            await nothing_said(bo)
            assert (await ada.act(table, {"do": "recover"}))["type"] == "update"
            assert (await ada.ask("GET", "/api/me"))["is_muted"]
            await mute(on=False)
            assert (await ada.tell(type="say", table=table, text="hi"))["type"] == "done"

    with_server(test, tmp_path)


@pytest.mark.parametrize("message", [{"type": "say", "text": "hi"}, {"type": "react", "reaction": "laugh"}])
def test_who_talks_too_much_is_slowed_down_and_told_for_how_long(tmp_path: Path, message: Json) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            table = await seated(two)
            answers = [await two[0].tell(table=table, **message) for _ in range(TALK.burst + 1)]
            assert [answer["type"] for answer in answers] == ["done"] * TALK.burst + ["refused"]
            reason = answers[-1]["reason"]
            assert (reason["code"], 1 <= reason["details"]["seconds"] <= 2) == ("too_fast", True)
            assert (await two[1].tell(table=table, **message))["type"] == "done"

    with_server(test, tmp_path, rate_limits=True)


def test_a_new_name_is_used_from_the_next_line_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            await ada.tell(type="say", table=table, text="before")
            await ada.ask("PATCH", "/api/me", {"name": "Ada L."})
            await ada.tell(type="say", table=table, text="after")
            names = [line["name"] for line in (await bo.watch(table))["chat"]]
            assert names == ["Ada", "Ada L."]

    with_server(test, tmp_path)


def test_the_hosts_notice_reaches_everybody_also_those_who_come_later(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):

            async def notice(text: str) -> None:
                await ada.ask("PUT", "/api/host/notice", {"text": text}, headers=host.host_headers())

            await notice("  Back at ten.  ")
            assert [(await each.hear("notice"))["text"] for each in (ada, bo)] == ["Back at ten."] * 2
            await bo.disconnect()
            welcome = await bo.connect()
            assert (welcome["notice"], welcome["name"], welcome["person"]) == ("Back at ten.", "Bo", bo.id)
            await notice("")
            assert (await bo.hear("notice"))["text"] == ""
            await bo.disconnect()
            assert "notice" not in await bo.connect()

    with_server(test, tmp_path)
