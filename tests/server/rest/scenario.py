"""An evening on the server: everything REST and the socket can do happens once, well and refused."""

import contextlib
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx

from royalcrypt.bots.warming import WarmUp
from royalcrypt.server.bots.analysis_process import AnalysisProcess
from tests.server.harness import Host, Person, catch_up, play_on, with_server
from tests.server.letterbox import Letterbox, link_in

T = TypeVar("T")

FAILING = "/api/tables"


class Overheard(Host):
    """Keeps every answer that anybody gets."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.url, host.app, host.server)
        self.answers: list[httpx.Response] = []
        self.people: list[Person] = []

    def client(self, **options: Any) -> httpx.AsyncClient:
        async def keep(answer: httpx.Response) -> None:
            await answer.aread()
            self.answers.append(answer)

        return super().client(event_hooks={"response": [keep]}, **options)

    @property
    def messages(self) -> list[bytes]:
        """All that sockets were sent."""
        return [raw for one in self.people for raw in one.received]


@dataclass
class Evening:
    """What must stay where it belongs."""

    host: Overheard
    box: Letterbox
    cookies: dict[str, str] = field(default_factory=dict[str, str])
    """With whose they are."""
    codes: set[str] = field(default_factory=set[str])
    tokens: set[str] = field(default_factory=set[str])
    """Of programs."""
    invites: dict[str, str] = field(default_factory=dict[str, str])
    """By table."""
    secrets: dict[str, str] = field(default_factory=dict[str, str])
    """By table, what all its chance comes from."""
    entropy: set[str] = field(default_factory=set[str])
    ended: set[str] = field(default_factory=set[str])
    """Tables whose games are over, so that their secrets are published."""
    keys: set[str] = field(default_factory=set[str])
    """What is told to nobody at all."""
    invitation: str = ""

    @contextlib.asynccontextmanager
    async def person(self, name: str, **body: Any) -> AsyncGenerator[Person]:
        async with self.host.client() as http:
            one = Person(self.host, http, f"entropy-of-{name}")
            one.id = (await one.post("/api/me", {"name": name, **body}))["person"]
            self.cookies[one.cookie.partition("=")[2]] = name
            self.entropy.add(one.name)
            self.host.people.append(one)
            await one.connect(max_queue=None)
            try:
                yield one
            finally:
                await one.disconnect()

    async def open(self, owner: Person, **settings: Any) -> str:
        opened = await owner.open_table(**settings)
        table = opened["info"]["table"]
        self.invites[table] = opened["you"]["invite"]
        await self.keep_secret(table)
        return table

    def link(self, table: str) -> dict[str, str]:
        return {"X-Table-Invite": self.invites[table]}

    async def happen(self) -> None:
        async with self.person("Ada") as ada, self.person("Bo") as bo, self.person("Cleo") as cleo:
            await self.sign_in(ada)
            await self.give_address(ada)
            await self.play(ada, bo, cleo)
            await self.play_with_bots(ada, cleo)
            await self.hand_over(ada, bo)
            await self.share_chance(ada, bo)
            await self.keep_a_program(ada)
            await self.be_refused(bo)
            await self.keep_house(ada, bo, cleo)
            await ada.ask("DELETE", "/api/me/device", status=204)
            await bo.ask("DELETE", "/api/me", {"name": "Ada"}, status=409)
            await bo.ask("DELETE", "/api/me", {"name": "Bo"}, status=204)

    async def sign_in(self, ada: Person) -> None:
        await ada.ask("GET", "/api/me")
        await ada.ask("PATCH", "/api/me", {"name": "Ada of the Nile"})
        code = (await ada.post("/api/me/codes"))["code"]
        self.codes |= {code, code.replace("-", ""), code.lower()}
        async with self.host.client() as phone:
            for status in (200, 403):
                answer = await phone.post("/api/sign-in", json={"code": code})
                assert answer.status_code == status
            self.cookies |= dict.fromkeys(phone.cookies.values(), "Ada")
        await ada.ask("GET", "/api/me/recovery")
        phrase = (await ada.post("/api/me/recovery"))["phrase"]
        self.codes |= {phrase, phrase.replace(" ", ""), phrase.upper()}
        async with self.host.client() as tablet:
            for given, status in ((phrase.upper(), 200), ("babab", 403)):
                answer = await tablet.post("/api/sign-in/phrase", json={"phrase": given})
                assert answer.status_code == status
            self.cookies |= dict.fromkeys(tablet.cookies.values(), "Ada")

    async def give_address(self, ada: Person) -> None:
        """And take it back; the letter between has a link in it that is nobody else's business."""
        await ada.ask("PUT", "/api/me/address", {"address": "ada"}, status=400)
        await ada.ask("PUT", "/api/me/address", {"address": "ada@mail.example", "language": "el"})
        await ada.ask("GET", "/api/me/address")
        (letter,) = self.box.letters
        link = link_in(letter, "confirm")
        self.keys.add(link.partition("=")[2])
        assert (await ada.http.get(link)).is_success
        await ada.http.post(link)
        await ada.ask("DELETE", "/api/me/address", status=204)

    async def play(self, ada: Person, bo: Person, cleo: Person) -> None:
        """A private game from the opening to the rematch, watched and talked about."""
        table = await self.open(ada, players=2, leader=0, clock={"kind": "live"})
        path = f"/api/tables/{table}"
        await bo.ask("GET", path, status=404)
        await bo.ask("GET", path, headers=self.link(table))
        await ada.ask("PUT", f"{path}/seats/1/bot", {"level": "random"})
        await ada.ask("DELETE", f"{path}/seats/1")
        await bo.post(f"{path}/seats/1", {"entropy": bo.name}, headers=self.link(table))
        await ada.ask("GET", f"{path}/record", status=404)
        for one in (ada, bo):
            await one.watch(table)
            await one.tell(type="follow", lobby=True, games=True)
        await cleo.watch(table, invite="wrong")
        await cleo.watch(table, invite=self.invites[table])
        await ada.post(f"{path}/start")
        for one in (ada, bo, cleo):
            await one.tell(type="say", table=table, text="good luck")
            await one.tell(type="react", table=table, reaction="luck")
        await catch_up(ada, 5)
        await play_on([ada, bo], table, random.Random(1), most=4)
        await ada.tell(type="act", table=table, ply=0, actions=[{"do": "recover"}])
        await self.keep(ada, bo, path)
        for one in (ada, bo, cleo):
            await one.ask("GET", f"{path}/record", headers=self.link(table))
        await bo.post(f"{path}/leave")
        await bo.post(f"{path}/return")
        await catch_up(bo, (await ada.watch(table))["ply"])
        await play_on([ada, bo], table, random.Random(2))
        self.ended.add(table)
        self.host.service.operations.analyses.analyser = AnalysisProcess(WarmUp(()), self.host.service.limits)
        for one in (ada, bo):
            record = await one.ask("GET", f"{path}/record")
            for eyes in ("", "?viewer=0", "?viewer=spectator", "?viewer=all"):
                await one.ask("GET", f"{path}/replay{eyes}")
                await one.ask("POST", f"/api/replay{eyes}", record)
            first = {"move": 0, "seat": 0, "level": "random"}
            await one.ask("POST", f"{path}/line", first)
            await one.ask("POST", "/api/line", first | {"record": record})
            await one.ask("GET", f"{path}/analysis")
            await one.ask("POST", "/api/analysis", record)
            await one.ask("GET", "/api/me/games")
            await one.http.get("/api/me/records")
            await one.ask("GET", "/api/me/history?players=2&company=people")
            await one.ask("GET", "/api/me/statistics")
            await one.ask("GET", "/api/me/data")
        again = await ada.post(f"{path}/rematch", {"entropy": ada.name})
        self.invites[again["info"]["table"]] = again["you"]["invite"]
        await bo.post(f"{path}/rematch", {})
        await bo.post(f"/api/tables/{again['info']['table']}/leave")
        await ada.post(f"/api/tables/{again['info']['table']}/close")

    async def keep(self, ada: Person, bo: Person, path: str) -> None:
        """Notes and standing orders, of whoever does not decide just now."""
        await ada.ask("PUT", f"{path}/memo", {"text": "Bo likes Idols."})
        await ada.ask("GET", f"{path}/memo")
        seat, waiting = (0, ada) if ada.view["actor"] == 1 else (1, bo)
        order = {"when": "always", "action": {"do": "recover"}}
        body = {"round": ada.view["round"], "orders": [order]}
        await waiting.post(f"{path}/seats/{seat}/orders/check", body)
        await waiting.ask("PUT", f"{path}/seats/{seat}/orders", body)
        await waiting.ask("GET", f"{path}/seats/{seat}/orders")
        await waiting.ask("DELETE", f"{path}/seats/{seat}/orders")

    async def play_with_bots(self, ada: Person, cleo: Person) -> None:
        """Listed, and without spectators once it runs."""
        table = await self.open(
            ada,
            players=2,
            bots=[{"seat": 1, "level": "random"}],
            is_listed=True,
            spectators=False,
            clock={"kind": "days"},
        )
        await cleo.watch(table)
        await ada.post(f"/api/tables/{table}/start")
        await ada.watch(table)
        await cleo.hear("gone")
        await play_on([ada], table, random.Random(3), most=2)
        await ada.tell(type="unwatch", table=table)
        await ada.ask("GET", "/api/tables")
        await ada.ask("GET", "/api/lobby")
        await ada.ask("GET", "/api/bots")

    async def hand_over(self, ada: Person, bo: Person) -> None:
        table = await self.open(ada, players=2)
        await bo.post(f"/api/tables/{table}/seats/1", {"entropy": bo.name}, headers=self.link(table))
        await ada.post(f"/api/tables/{table}/start")
        await ada.post(f"/api/tables/{table}/seats/1/hand-over")

    async def share_chance(self, ada: Person, bo: Person) -> None:
        """The day's crypt, and the same cards at two tables."""
        today = (await ada.ask("GET", "/api/daily"))["today"]
        table = (await ada.post(f"/api/daily/{today}"))["info"]["table"]
        await self.keep_secret(table)
        await ada.watch(table)
        await play_on([ada], table, random.Random(4))
        for one in (ada, bo):
            await one.ask("GET", f"/api/daily/{today}")
        await ada.ask("GET", f"/api/tables/{table}/record")
        made = await bo.post("/api/duplicates", {"tables": 2})
        for line in made["tables"]:
            self.invites[line["table"]] = line["invite"]
            await self.keep_secret(line["table"])
        await ada.ask("GET", f"/api/duplicates/{made['duplicate']}")
        await bo.http.get("/api/duplicates")
        await bo.post(f"/api/duplicates/{made['duplicate']}/end")
        await bo.ask("GET", "/api/duplicates/nowhere", status=404)

    async def keep_secret(self, table: str) -> None:
        self.secrets[table] = (await self.host.service.tables.table(table)).secret.hex()

    async def keep_a_program(self, ada: Person) -> None:
        """From its making to its end, with a seat in between."""
        made = await ada.post("/api/me/programs", {"name": "Robot"})
        path = f"/api/me/programs/{made['program']['id']}"
        renewed = await ada.post(f"{path}/token")
        self.tokens |= {made["token"], renewed["token"]}
        table = await self.open(ada, players=2)
        body = {"program": made["program"]["id"], "entropy": ada.name}
        await ada.ask("PUT", f"/api/tables/{table}/seats/1/program", body)
        async with self.host.client(headers={"Authorization": f"Bearer {renewed['token']}"}) as program:
            assert (await program.get("/api/me")).json()["keeper"] == "Ada of the Nile"
            assert (await program.post("/api/me/codes")).status_code == 403
        await ada.ask("GET", "/api/me/programs")
        await ada.ask("DELETE", path, status=204)

    async def be_refused(self, bo: Person) -> None:
        """With each status that a refusal can have."""
        await bo.ask("POST", "/api/me", {"name": "Bo"}, status=409)
        await bo.ask("POST", "/api/me", {"name": 7}, status=400)
        await bo.ask("GET", "/api/host", status=401, headers={"Authorization": "Bearer wrong"})
        await bo.ask("GET", "/api/nowhere", status=404)
        await bo.ask("PUT", "/api/bots", status=405)
        await bo.ask("PATCH", "/api/me", {"name": "x" * 20_000}, status=413)
        await bo.ask("PATCH", "/api/me", headers={"Content-Type": "text/plain"}, content=b"{}", status=415)
        await bo.ask("POST", "/api/tables", {}, status=403, headers={"Origin": "http://elsewhere.example"})
        await bo.send_raw("{")
        await bo.hear("refused")
        lobby = self.host.service.journal.lobby

        async def fail(*_: Any, **__: Any) -> Any:
            raise RuntimeError(f"not found: {bo.cookie}")

        self.host.service.journal.lobby = fail  # type: ignore[method-assign]
        await bo.ask("GET", FAILING, status=500)
        self.host.service.journal.lobby = lobby  # type: ignore[method-assign]

    async def keep_house(self, ada: Person, bo: Person, cleo: Person) -> None:
        """What the host does."""
        table = await self.open(ada, players=2, is_listed=True)
        async with self.host.client(headers=self.host.host_headers()) as boss:

            async def ask(method: str, path: str, body: Any = None) -> httpx.Response:
                answer = await boss.request(method, path, json=body)
                assert answer.is_success, answer.text
                return answer

            for path in ("/api/host/people", "/api/host/tables", "/api/host/export"):
                await ask("GET", path)
            await ask("PUT", f"/api/host/people/{bo.id}/mute", {"on": True})
            await ask("PUT", f"/api/host/people/{cleo.id}/kick", {"on": True})
            await ask("PUT", "/api/host/notice", {"text": "The torches burn low."})
            await ask("PUT", "/api/host/rules", {"is_invite_only": True})
            await boss.post("/api/me", json={"name": "Dan"})
            self.invitation = (await ask("POST", "/api/host/invitation")).json()["invitation"]
            await ask("GET", "/api/host")
            async with self.person("Eve", invitation=self.invitation) as eve:
                await eve.watch(table)
            await ask("PUT", "/api/host/rules", {"is_invite_only": False})
            await ask("POST", f"/api/host/tables/{table}/close")
            for path in ("/health", "/metrics", "/api/schema/openapi.json", "/api/schema/socket.json", "/"):
                await ask("GET", path)
        await ada.hear("notice")
        await cleo.ask("GET", "/api/me", status=403)
        await bo.watch(table)
        await bo.tell(type="say", table=table, text="hello?")


async def evening(host: Host, box: Letterbox) -> Evening:
    keys = host.service.keys
    derived = (keys.secret, keys.signing_key(), keys.derived("codes"), keys.derived("letters"))
    found = Evening(Overheard(host), box)
    found.keys = {keys.admin_token(), *(key.hex() for key in derived)}
    await found.happen()
    return found


def with_evening(test: Callable[[Evening], Awaitable[T]], data: Path, **settings: Any) -> T:
    """Run a test after an evening on a fresh server, which has a mail server of its own."""
    box = Letterbox().open()

    async def spend(host: Host) -> T:
        return await test(await evening(host, box))

    try:
        return with_server(spend, data, **box.settings, **settings)
    finally:
        box.close()
