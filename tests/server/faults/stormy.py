"""A table at which one of the players sends anything at all."""

import asyncio
import json
import random
from collections import Counter
from typing import Any, cast

from websockets.exceptions import ConnectionClosed

from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH
from tests.oracle.game import Illegal
from tests.server.faults.judge import Judge
from tests.server.faults.storms import Fatal, Garbled, Legal, Now, Repeated
from tests.server.harness import PATIENCE, Host, Json, Person, any_action, catch_up, play_on, seated

ANSWERS = ("done", "refused", "shown")
FIRST_NUMBER = 10**9
UNASKED = ("update", "said", "reacted", "presence", "lobby", "games", "gone")


class Stormy:
    """Mallory storms; Bo plays on at the same table, Eve looks on, and both must not notice."""

    def __init__(self, host: Host, mallory: Person, bo: Person, eve: Person) -> None:
        self.host = host
        self.mallory, self.bo, self.eve = mallory, bo, eve
        self.chance = random.Random(1)
        self.number = FIRST_NUMBER
        mallory._number = 2 * FIRST_NUMBER  # that no message of the storm has the number of another
        self.counts: Counter[str] = Counter()

    async def open(self) -> None:
        self.theirs = await seated([self.bo, self.eve])
        self.over = await seated([self.mallory, self.bo])
        await play_on([self.mallory, self.bo], self.over, self.chance)
        await self.begin()

    async def begin(self) -> None:
        """A new game at a new table."""
        for each in (self.mallory, self.bo, self.eve):
            await each.disconnect()
            await each.connect()
        self.mine = await seated([self.mallory, self.bo], is_listed=True)
        await self.eve.watch(self.mine)
        self.judge = Judge(await self.entries(self.mine))
        self.untouched = {table: len(await self.entries(table)) for table in (self.theirs, self.over)}
        self.counts["games begun"] += 1

    async def entries(self, table: str, since: int = 0) -> list[bytes]:
        return await self.host.service.journal.entries(table, since=since)

    # One batch of messages.

    async def endure(self, batch: list[Any], fatal: Fatal | None) -> None:
        """Send it all at once; everything is answered, and only what is legal has happened."""
        await self.mallory.watch(self.mine)
        sent = [self.written(template) for template in batch]
        for text in sent:
            await self.mallory.send_raw(text)
        heard = await self.hear_until_answered(await self.mallory.send(type="ping"))
        self.counts["messages"] += len(sent)
        kept = await self.judged(sent)
        self.check_answers(sent, heard, kept)
        await self.check_others()
        if fatal is not None:
            await self.perish(fatal)
            self.counts["messages"] += 1
        await self.play_on()

    async def hear_until_answered(self, number: int) -> list[Json]:
        heard = [await self.mallory.hear_any()]
        while heard[-1].get("re") != number:
            heard.append(await self.mallory.hear_any())
        return heard[:-1]

    def written(self, template: Any) -> str | bytes:
        """A message as it is sent now, no longer than may be."""
        match template:
            case bytes():
                return template
            case str() | Repeated():
                text = str(template)
            case Legal():
                text = json.dumps(self.legal(template))
            case Garbled():
                text = template.of(json.dumps(self.filled(template.command)))
            case _:
                text = json.dumps(self.filled(template))
        return text.encode("utf-8", "ignore")[:MAX_MESSAGE_LENGTH].decode("utf-8", "ignore")

    def legal(self, template: Legal) -> Json:
        view = self.mallory.view
        is_turn = view["actor"] == 0
        action = any_action(view, random.Random(template.choice)) if is_turn else {"do": "recover"}
        return self.filled(
            {"type": "act", "table": Now.MINE, "ply": template.ply, "actions": [action], "id": Now.NUMBER}
        )

    def filled(self, template: Any) -> Any:
        match template:
            case dict():
                return {name: self.filled(value) for name, value in template.items()}  # pyright: ignore[reportUnknownVariableType]
            case list():
                return [self.filled(value) for value in template]  # pyright: ignore[reportUnknownVariableType]
            case Now.NUMBER:
                self.number += 1
                return self.number
            case Now():
                return {
                    Now.MINE: self.mine,
                    Now.THEIRS: self.theirs,
                    Now.OVER: self.over,
                    Now.PLY: self.judge.ply,
                    Now.BEFORE: self.judge.ply - 1,
                    Now.AFTER: self.judge.ply + 1,
                }[template]
            case _:
                return template

    # What must hold afterwards.

    async def judged(self, sent: list[str | bytes]) -> list[Json]:
        """What was kept, each a legal command that was sent."""
        kept: list[Json] = []
        for raw in await self.entries(self.mine, self.judge.ply):
            ply = self.judge.ply
            try:
                entry = self.judge.adopt(raw)
            except Illegal as illegal:
                raise AssertionError(f"{raw!r} was kept: {illegal}") from illegal
            assert (entry["type"], entry["seat"]) == ("moved", 0), entry
            is_asked_for = any(is_command_for(text, self.mine, ply) for text in sent)
            assert is_asked_for, f"{raw!r} was kept, and nobody asked for it"
            kept.append(entry)
        for table, count in self.untouched.items():
            assert await self.entries(table, count) == []
        self.counts["kept"] += len(kept)
        return kept

    def check_answers(self, sent: list[str | bytes], heard: list[Json], kept: list[Json]) -> None:
        answers = [one for one in heard if one["type"] in ANSWERS or "re" in one]
        unnumbered = len(kept) - sum(one["type"] == "update" and "re" in one for one in heard)
        wanted = [number for text in sent if (number := number_in(text)) is not None]
        assert [one["re"] for one in answers if "re" in one] == wanted
        assert len(answers) + unnumbered == len(sent)
        assert {one["type"] for one in heard} <= {*ANSWERS, *UNASKED}
        for one in heard:
            self.counts[one["reason"]["code"] if one["type"] == "refused" else one["type"]] += 1
            assert one["type"] != "refused" or one["reason"]["code"] != "server_failed"

    async def check_others(self) -> None:
        """Everybody at the table has heard of every entry, one after the other."""
        for other in (self.bo, self.eve):
            number = await other.send(type="ping")
            ply = other.ply
            while (heard := await other.hear_any()).get("re") != number:
                assert heard["type"] in UNASKED, heard
                if heard["type"] == "update":
                    assert heard["ply"] == ply + 1
                    ply += 1
            assert ply == self.judge.ply

    async def perish(self, fatal: Fatal) -> None:
        """The sender's own socket is closed, with the right code; a new one is as good as before."""
        socket = self.mallory.socket
        assert socket is not None
        try:
            if fatal.is_frame:
                await socket.send(fatal.parts, text=True)
            else:
                socket.transport.write(b"".join(fatal.parts))
            async with asyncio.timeout(PATIENCE):
                while True:
                    await socket.recv()
        except ConnectionClosed:
            pass
        assert socket.close_code == fatal.code, fatal
        self.counts[f"closed with {fatal.code}"] += 1
        await self.mallory.connect()

    async def play_on(self) -> None:
        """Bo moves when it is his turn; when the game is over, another begins."""
        while not self.judge.is_over and self.bo.view["actor"] == 1:
            answer = await self.bo.act(self.mine, any_action(self.bo.view, self.chance))
            assert answer["type"] == "update"
            await catch_up(self.eve, self.bo.ply)
            for raw in await self.entries(self.mine, self.judge.ply):
                self.judge.adopt(raw)
        if self.judge.is_over:
            await self.begin()


def read(text: str | bytes) -> Json:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("Json", found) if isinstance(found, dict) else {}


def is_command_for(text: str | bytes, table: str, ply: int) -> bool:
    found = read(text) if isinstance(text, str) else {}
    return (found.get("type"), found.get("table"), found.get("ply")) == ("act", table, ply)


def number_in(text: str | bytes) -> int | None:
    """The number of a message as far as it can be read, which the answer must carry."""
    number: Any = read(text).get("id")
    return number if type(number) is int and 0 <= number < 2**53 else None
