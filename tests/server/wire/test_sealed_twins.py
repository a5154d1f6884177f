"""No leak across tables with the same cards: what is played at one changes nothing that others receive."""

from typing import Any
from zlib import crc32

import msgspec
import pytest

from royalcrypt.live import seals
from royalcrypt.live.operations import duplicates
from royalcrypt.live.operations.daily import Daily, DailyDay
from royalcrypt.live.seals import Seals
from royalcrypt.play.game import Game
from royalcrypt.server.operations import export
from royalcrypt.tables import seals as table_seals
from royalcrypt.tables.seals import Seal
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table
from tests.faults.planting import Plant, admit_all
from tests.server.wire.performing import Company, Difference, first_difference
from tests.server.wire.sealed_games import Sealed, perform

ONE, OTHER = b"one secret".ljust(32), b"another".ljust(32)
WHOLE = 10_000
"""Moves that end any game."""
TWINS: dict[str, tuple[Sealed, Sealed]] = {
    "a day's cards": (Sealed("daily", ONE, 1, 6), Sealed("daily", OTHER, 2, 6)),
    "a day's finished game": (Sealed("daily", ONE, 1, WHOLE), Sealed("daily", OTHER, 2, WHOLE)),
    "a duplicate's cards": (Sealed("duplicate", ONE, 1, 14), Sealed("duplicate", OTHER, 2, 14)),
    "a duplicate's moves": (Sealed("duplicate", ONE, 1, 16, 9), Sealed("duplicate", ONE, 2, 16, 9)),
    "a duplicate's finished game": (
        Sealed("duplicate", ONE, 1, WHOLE, 9),
        Sealed("duplicate", ONE, 2, WHOLE, 9),
    ),
}
"""Pairs of which outsiders cannot know which one is played."""


def differences(company: Company, name: str) -> list[Difference]:
    is_finished = "finished" in name
    one, other = (company.run(lambda theatre, game=game: perform(theatre, game)) for game in TWINS[name])
    assert one.keys() == other.keys()
    assert sum(map(len, one.values())) > 600
    return [
        difference
        for channel in one
        for difference in first_difference(
            channel, *(told(kept[channel], is_finished=is_finished) for kept in (one, other))
        )
    ]


def told(messages: list[bytes], *, is_finished: bool) -> list[bytes]:
    """Without what is told on purpose of a finished game: the day's scores, and how many moves all made."""
    return [
        message
        for message in messages
        if not (is_finished and message.startswith((b"GET /api/daily/", b"GET /metrics")))
    ]


@pytest.mark.parametrize("name", TWINS)
def test_who_may_play_the_same_cards_learns_nothing_of_those_who_do(company: Company, name: str) -> None:
    assert not (found := differences(company, name)), "\n".join(map(str, found))


# Planted leaks.


def mark(game: Game | None) -> int:
    """A number that depends on all that was dealt and done."""
    return 0 if game is None else crc32(game.position().encode()) % 97


def sealed_with_spectators(patch: pytest.MonkeyPatch) -> None:
    true = table_seals.sealed

    def plant(settings: TableSettings, **shared: Any) -> TableSettings:
        return msgspec.structs.replace(true(settings, **shared), spectators=True)

    patch.setattr(duplicates, "sealed", plant)


def published_secret(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: Daily, day: str) -> bool:
        return False

    patch.setattr(Daily, "_is_sealed", plant)


def told_scores(patch: pytest.MonkeyPatch) -> None:
    true = duplicates.table_of

    def plant(table: Table, *, is_owner: bool, is_sealed: bool) -> duplicates.DuplicateTable:
        return true(table, is_owner=is_owner, is_sealed=False)

    patch.setattr(duplicates, "table_of", plant)


def open_to_those_who_take_part(patch: pytest.MonkeyPatch) -> None:
    async def plant(self: Seals, table: Table, person: str) -> bool:
        return table.seal is not None and await self._duplicates.takes_part(
            Seal.parse(table.seal).name, person
        )

    patch.setattr(Seals, "is_open_to", plant)


def admitted_to_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seals, "admit", admit_all)


def exported_while_sealed(patch: pytest.MonkeyPatch) -> None:
    def plant(_: bytes) -> str | None:
        return None

    patch.setattr(export, "seal_of", plant)


def telling_day(patch: pytest.MonkeyPatch) -> None:
    true = Daily.day

    async def plant(self: Daily, person: str | None, day: str) -> DailyDay:
        told = await true(self, person, day)
        games = [loaded.table.game for loaded in self._tables.loaded.values() if loaded.table.seal]
        told.begun += sum(map(mark, games))
        return told

    patch.setattr(Daily, "day", plant)


def listed_with_rounds(patch: pytest.MonkeyPatch) -> None:
    """A duplicate's line counts finished tables by what is played at others."""
    true = duplicates.DuplicateService._line

    async def plant(self: duplicates.DuplicateService, duplicate: Any, person: str) -> Any:
        line = await true(self, duplicate, person)
        game = (await self._tables.table(duplicate.tables[0])).game
        line.finished += mark(game)
        return line

    patch.setattr(duplicates.DuplicateService, "_line", plant)


LEAKS: list[tuple[Plant, str, str]] = [
    (sealed_with_spectators, "a duplicate's moves", "Cleo by REST"),
    (published_secret, "a day's cards", "nobody by REST"),
    (told_scores, "a duplicate's finished game", "Gus by REST"),
    (open_to_those_who_take_part, "a duplicate's moves", "Dan by REST"),
    (admitted_to_all, "a day's cards", "Finn by REST"),
    (exported_while_sealed, "a day's finished game", "the host by REST"),
    (telling_day, "a day's cards", "nobody by REST"),
    (listed_with_rounds, "a duplicate's cards", "Dan by REST"),
]


@pytest.mark.parametrize(
    ("plant", "name", "noticed_by"),
    [
        pytest.param(
            *leak, id=leak[0].__name__, marks=() if leak[1] == "a day's cards" else pytest.mark.faults
        )
        for leak in LEAKS
    ],
)
def test_a_planted_leak_tells_sealed_twins_apart(
    company: Company, plant: Plant, name: str, noticed_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert noticed_by in {difference.channel for difference in differences(company, name)}
