"""New tables: opened with their first seats, or as the rematch of another table."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Protocol

from royalcrypt.live.access import admit, own_table
from royalcrypt.live.changes import TableCommand
from royalcrypt.live.operations.tables import renamed, sitting, starting, table_answer
from royalcrypt.live.registry import TableRegistry, new_id
from royalcrypt.live.wire.tables import Entering, NewTable, TableAnswer
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Opened, Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table


class CheckNew(Protocol):
    """Raises Refusal if the person who asks has reached a limit of new tables."""

    async def __call__(self, *, is_listed: bool) -> None: ...


async def no_limit(*, is_listed: bool) -> None:
    pass


class NewTables:
    def __init__(self, tables: TableRegistry) -> None:
        self._tables = tables

    async def open(self, sitter: Sitter, data: NewTable) -> TableAnswer:
        opened = commands.open_table(data.settings, sitter.person, now=self._tables.now())
        steps = first_steps(data, sitter)
        dry_run(opened, steps)
        table = await self._tables.open(opened)
        for decide in steps:
            table = (await self._tables.change(table.id, decide)).after
        return table_answer(table, sitter.person)

    async def rematch(
        self,
        sitter: Sitter,
        table_id: str,
        data: Entering,
        *,
        check: CheckNew = no_limit,
        programs: Iterable[Sitter] = (),
    ) -> TableAnswer:
        """Open a rematch with the same people, or join it; the next player becomes the Leader.

        ``check`` is called before a table is opened. The person's ``programs`` join together with them.
        """
        person = sitter.person
        before = await own_table(self._tables, person, table_id)
        next_id = before.followed_by
        if next_id is None or (await self._tables.table(next_id)).status is Status.CLOSED:
            has_people = any(place.person is not None and place.keeper is None for place in before.seats)
            if sitter.keeper is not None and has_people:
                raise Refusal(Reason.NOT_FOR_PROGRAMS)  # a program may not start a rematch for people
            await check(is_listed=before.settings.is_listed)
            next_id = await self._open_rematch(before, person)
        table = await self._tables.table(next_id)
        admit(table, person, None)
        kept = [seat for seat, place in enumerate(table.seats) if place.reserved_for == person]
        is_shared = len(kept) > 1  # Several people at one screen have separate names.
        joining = {program.person: program for program in programs}
        for seat, place in enumerate(table.seats):
            joiner = joining.get(place.reserved_for or "")
            if seat in kept:
                joiner = renamed(sitter, place.name if is_shared else None)
            if joiner is not None:
                made = await self._tables.change(next_id, sitting(joiner, seat, data.entropy))
                table = made.after
        return table_answer(table, person)

    async def _open_rematch(self, before: Table, person: str) -> str:
        """Open a rematch and link it from the old table; concurrent requests return the same table."""
        tables, wanted, instead_of = self._tables, new_id(), before.followed_by
        _, opened = commands.rematch(before, person, wanted, instead_of=instead_of, now=tables.now())
        await tables.open(opened, wanted)
        try:
            await tables.change(
                before.id,
                lambda table, now: commands.rematch(table, person, wanted, instead_of=instead_of, now=now)[0],
            )
        except Refusal as refusal:
            if refusal.reason is not Reason.ALREADY_DONE:
                raise
            await tables.change(wanted, lambda table, now: commands.close(table, why="empty", now=now))
        return (await tables.table(before.id)).followed_by or wanted


def first_steps(data: NewTable, sitter: Sitter) -> list[TableCommand]:
    """Return the commands that seat the first people and start the game, as asked."""
    names = data.names[: len(data.sit)]
    steps = [
        sitting(renamed(sitter, name), seat, data.entropy) for seat, name in zip_longest(data.sit, names)
    ]
    return [*steps, starting(sitter.person)] if data.start else steps


def dry_run(opened: Opened, steps: list[TableCommand]) -> None:
    """Run all steps on a temporary table, so that invalid settings are refused before anything is stored."""
    table = Table("dry-run")
    entry: AnyEntry = opened
    for decide in steps:
        table = table.after(entry)
        entry = decide(table, now=opened.at)
