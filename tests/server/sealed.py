"""Games under a seal, for tests: played by people as by chance, with all that anybody was sent."""

import random
from typing import Any

import httpx

from tests.server.harness import Host, Json, Person, any_action


class Overhearing(Host):
    """Keeps the bytes of every answer."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.url, host.app, host.server)
        self.answers: list[bytes] = []

    def client(self, **options: Any) -> httpx.AsyncClient:
        async def keep(answer: httpx.Response) -> None:
            self.answers.append(await answer.aread())

        return super().client(event_hooks={"response": [keep]}, **options)


async def play_alone(someone: Person, table: str, seed: int) -> Json:
    """To the end, as chance has it; tells the last view."""
    await someone.watch(table)
    chance = random.Random(seed)
    while someone.view["phase"] != "over":
        answer = await someone.act(table, any_action(someone.view, chance))
        assert answer["type"] == "update", answer
    return someone.view


async def record_of(someone: Person, table: str, status: int = 200) -> Json:
    return await someone.ask("GET", f"/api/tables/{table}/record", status=status)


Outcomes = dict[tuple[Any, ...], Any]


def in_common(one: Outcomes, other: Outcomes) -> int:
    """How many addresses two games both came to; chance brought both the same there."""
    shared = one.keys() & other
    assert {address: one[address] for address in shared} == {address: other[address] for address in shared}
    return len(shared)


def outcomes(record: Json) -> Outcomes:
    """What chance brought, by address: purpose, round, seat, index (RECORD.md, Chance)."""
    found: Outcomes = {}
    round_number = 0
    counts: dict[tuple[str, int], int] = {}

    def add(purpose: str, seat: int, faces: list[int]) -> None:
        for face in faces:
            index = counts.get((purpose, seat), 0)
            counts[purpose, seat] = index + 1
            found[purpose, round_number, seat, index] = face

    for event in record["events"]:
        if event["type"] == "reveal":
            round_number = event["round"]
            counts.clear()
            found["row", round_number] = tuple(event["row"])
            found["top", round_number] = event.get("top")
        elif event["type"] == "roll":
            add("die", event["seat"], event["rolled"])
        elif event["type"] == "reroll":
            add("die", event["seat"], [event["rolled"]])
        elif event["type"] == "ghost":
            add("ghost", 1, event["rolled"])
        elif event["type"] == "tiebreak":
            for seat, faces in event["rolled"].items():
                add("tie", int(seat), faces)
    return found
