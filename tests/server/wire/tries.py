"""What is refused, on purpose: by the rules, by the table, by the socket and by REST."""

import random
from collections.abc import Iterator

from royalcrypt import Game, Move, Refusal
from tests.server.wire import steps
from tests.server.wire.scenes import Scene, Turn
from tests.server.wire.steps import PATH, Step
from tests.server.wire.worlds import PRIVATE_TABLE, TABLE

MOVES = (
    *("peek", "peek M1", "peek M2", "peek M3", "peek M4", "mend", "mend R1 R2", "mend R2 R3", "mend R3 R4"),
    *("take 1", "take 3 P1 P2", "take 4 P2 P3", "take 6 P1 P4", "take 3", "take 4", "reroll 1"),
    *("reroll 2 I1", "reroll 3 I2", "reroll 1 I3", "reroll 1 I4", "decline", "recover"),
    *("1:3x6", "1:1x1", "2:1x1", "3:1x1 3:1x2", "1:2x1 2:2x1", "6:1x1", "1:1x1 2:1x1 3:1x1"),
    *("peek; reroll 1", "peek; 6:3x6", "mend; decline", "peek; peek"),
)
NONSENSE = (
    *("", "nonsense", "[]", "{}", '{"id":7}', '{"id":8,"type":"cheat"}', '{"type":"watch","table":"?"}'),
    *('{"id":9,"type":"act","table":"the-table-01","ply":1,"actions":[]}', "[" * 2000, b"\x00\x01"),
    '{"id":10,"type":"act","table":"the-table-01","ply":1,"actions":[{"do":"peek","flip":[5]}]}',
    '{"id":11,"type":"act","table":"the-table-01","ply":-1,"actions":[{"do":"recover"}]}',
    '{"id":12,"type":"say","table":"the-table-01","text":"","more":1}',
)


def moves(
    channel: str, seat: int, games: list[Game], before: Turn | None, rng: random.Random
) -> Iterator[Step]:
    """Moves that no world allows, and good ones at the wrong ply."""
    found = [move for text in MOVES if is_refused(move := Move.parse(text), seat, games)]
    for move in rng.sample(found, min(5, len(found))):
        yield steps.tried(channel, move)
    recover = Move.parse("recover")
    yield steps.tried(channel, recover, ply=1)
    yield steps.tried(channel, recover, ply=999_999)
    yield steps.tried(channel, recover, table="no-such-table")
    if before is not None and before.seat == seat:
        yield repeated(channel, before)


def repeated(channel: str, turn: Turn) -> Step:
    async def step(stage: steps.Stage) -> None:
        await steps.tried(channel, turn.move, seat=turn.seat, ply=stage.table.ply - 1)(stage)

    return step


def is_refused(move: Move, seat: int, games: list[Game]) -> bool:
    for game in games:
        try:
            game.tried(move, seat=seat)
        except Refusal:
            continue
        return False
    return True


def messages(channel: str, scene: Scene, rng: random.Random) -> Iterator[Step]:
    """What the socket refuses, from nonsense to seats of others."""
    for text in rng.sample(NONSENSE, 4):
        yield steps.mumbled(channel, text)
    mine = scene.seats_of(channel)
    foreign = [seat for seat in range(4) if seat not in mine]
    recover = Move.parse("recover")
    yield steps.tried(channel, recover, seat=rng.choice(foreign))
    yield steps.tried(channel, recover, ply=0)
    for message in (
        {"type": "watch", "table": TABLE, "seat": rng.choice(foreign)},
        {"type": "watch", "table": "no-such-table"},
        {"type": "watch", "table": PRIVATE_TABLE, "invite": "wrong"},
        {"type": "say", "table": TABLE, "text": "\u202e \u0007"},
        {"type": "say", "table": "no-such-table", "text": "Anybody there?"},
        {"type": "react", "table": "no-such-table", "reaction": "hello"},
    ):
        yield steps.told(channel, **message)


def bursts(channel: str, seat: int) -> Iterator[Step]:
    """More than the limits of pace allow."""
    for _ in range(8):
        yield steps.told(channel, type="react", table=TABLE, reaction="hurry")
    for _ in range(32):
        yield steps.watched(channel, seat=seat, since=999_999)


def requests(name: str, scene: Scene, rng: random.Random) -> Iterator[Step]:
    """What REST refuses once a game runs."""
    seat = rng.randrange(len(scene.holders))
    for method, path, body in (
        ("POST", f"{PATH}/seats/{seat}", {}),
        ("POST", f"{PATH}/seats/3", {}),
        ("DELETE", f"{PATH}/seats/{seat}", None),
        ("PUT", f"{PATH}/seats/{seat}/bot", {"level": "random"}),
        ("PUT", f"{PATH}/seats/{seat}/bot", {"level": "cheater"}),
        ("POST", f"{PATH}/start", None),
        ("POST", f"{PATH}/close", None),
        ("POST", f"{PATH}/rematch", {}),
        ("POST", f"{PATH}/seats/{seat}/hand-over", None),
        ("GET", "/api/tables/no-such-table", None),
        ("GET", f"/api/tables/{PRIVATE_TABLE}", None),
        ("GET", "/api/tables/no-such-table/record", None),
        ("GET", "/api/nothing", None),
        ("POST", "/api/tables", {"settings": {"players": 9}}),
        ("GET", "/api/host/export", None),
    ):
        yield steps.asked(name, method, path, body)


def before_the_start(owner: str, guests: list[str]) -> Iterator[Step]:
    """What is refused while people sit down."""
    yield steps.tried(owner, Move.parse("recover"))
    for name in (*guests, "Finn", "Eve"):
        for method, path, body in (
            ("POST", f"{PATH}/seats/0", {}),
            ("POST", f"{PATH}/start", None),
            ("POST", f"{PATH}/return", None),
            ("PUT", f"{PATH}/seats/1/bot", {"level": "random"}),
            ("GET", f"{PATH}/record", None),
        ):
            yield steps.asked(name, method, path, body)
