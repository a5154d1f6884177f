"""A command passes through the modules of ``live`` in one direction, in the order that the documents name."""

import asyncio
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from royalcrypt.live.operations.new_tables import NewTables
from royalcrypt.live.wire.tables import NewTable
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.settings import TableSettings
from tests.live.rooms import Room, wire_actions
from tests.tables.leading import NOON

ROOT = Path(__file__).parents[2]
LIVE = "royalcrypt.live."
DOCUMENT = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def documented() -> list[str]:
    """The modules in the table of the section about a click."""
    section = DOCUMENT.split("## A click, end to end", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `live/([a-z_/]+)\.py`", section, flags=re.MULTILINE)


class Entered:
    """Modules in the order of calls from other modules; further calls from the same module count once."""

    def __init__(self) -> None:
        self.modules: list[str] = []
        self._seen: set[FrameType] = set()
        self._last: tuple[str, str] | None = None

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame in self._seen:  # A coroutine that continues is not called again.
            return
        self._seen.add(frame)
        module = name_of(frame)
        caller = frame.f_back
        while caller is not None and name_of(caller) == "":
            caller = caller.f_back
        if module == "" or (caller is not None and name_of(caller) == module):
            return
        entry = (name_of(caller) if caller is not None else "", module)
        if entry != self._last:
            self._last = entry
            self.modules.append(module)


def name_of(frame: FrameType) -> str:
    """The module of ``live`` to which a frame belongs, as a path; empty for other code."""
    name = frame.f_globals.get("__name__", "")
    return name.removeprefix(LIVE).replace(".", "/") if name.startswith(LIVE) else ""


@contextmanager
def recorded() -> Generator[list[str]]:
    entered = Entered()
    sys.setprofile(entered)
    try:
        yield entered.modules
    finally:
        sys.setprofile(None)


async def a_move() -> list[str]:
    """Play until somebody else has to decide; returns the modules of the last move."""
    room = Room(lambda: NOON)
    data = NewTable(TableSettings(players=2), sit=(0, 1), start=True)
    table_id = (await NewTables(room.tables).open(Sitter("ada", "Ada"), data)).info.table
    ada, bo = room.enter("ada", protocol=2), room.enter("bo", protocol=2)
    await room.watch(ada, table_id)
    room.hub.watch(bo.connection, table_id, None)
    while True:
        table = room.tables.in_use(table_id)
        assert table is not None
        assert table.game is not None
        assert table.actor is not None
        actions = wire_actions(next(iter(table.game.view(table.actor).moves())))
        with recorded() as modules:
            await room.tell(ada, type="act", table=table_id, ply=table.ply, seat=table.actor, actions=actions)
        after = room.tables.in_use(table_id)
        assert after is not None
        assert after.ply == table.ply + 1
        if after.actor != table.actor:
            return modules


def test_a_command_passes_the_modules_in_the_documented_order_and_none_twice() -> None:
    modules = asyncio.run(a_move())
    assert modules == documented()
    assert len(modules) == len(set(modules))
