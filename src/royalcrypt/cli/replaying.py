"""Checks stored games: journals can be replayed, and records follow the rules."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from royalcrypt.cli.check import CheckResult, check_text
from royalcrypt.cli.records import as_text
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables.journal import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from royalcrypt.storage.transfer import GameBatch, StoredGame
    from royalcrypt.tables.clocks import Outage


@dataclass
class ReplayReport:
    games: int = 0
    entries: int = 0
    records: int = 0
    faults: list[str] = field(default_factory=list[str])
    """What is wrong, as messages."""

    def add(self, more: "ReplayReport") -> None:
        self.games += more.games
        self.entries += more.entries
        self.records += more.records
        self.faults += more.faults


def check_games(games: "GameBatch") -> ReplayReport:
    return ReplayReport(
        len(games.games),
        sum(len(game.entries) for game in games.games),
        sum(game.record is not None for game in games.games),
        [fault for game in games.games for fault in faults_of(game, games.outages)],
    )


def faults_of(game: "StoredGame", outages: "list[Outage]") -> "Iterator[str]":
    why = fault_of_journal(game, outages)
    if why:
        yield say("move_database.broken_journal", id=game.id, why=why)
    if game.record is not None:
        finding, about = check_text(as_text(game.id, 1, game.record))
        if finding is not CheckResult.SOUND:
            why = about["why"] or say("move_database.not_whole")
            yield say("move_database.broken_record", id=game.id, why=why)
    elif game.status == Status.OVER:
        yield say("move_database.no_record", id=game.id)


def fault_of_journal(game: "StoredGame", outages: "list[Outage]") -> str | None:
    from royalcrypt.tables.table import Table

    if game.plies != list(range(len(game.plies))):
        return say("move_database.gap")
    try:
        table = Table.from_journal(game.id, game.entries, outages)
    except Refusal as refusal:
        return str(refusal)
    except Exception as problem:  # noqa: BLE001 (the file may hold anything)
        return f"{type(problem).__name__}: {problem}"
    if (table.status, table.ply) != (game.status, game.ply):
        return say(
            "move_database.other_listing",
            status=table.status, ply=table.ply, listed=game.status, listed_ply=game.ply,
        )  # fmt: skip
    return None
