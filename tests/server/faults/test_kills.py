"""kill -9 at random moments: nothing acknowledged is lost, nothing is there twice, every game is finished."""

import asyncio
import os
import random
from pathlib import Path

import pytest

from tests.server.faults.crowd import crowd
from tests.server.faults.ledger import Ledger, kept_in, lost, there_twice, unfinished, unsound
from tests.server.faults.program import Program
from tests.server.harness import Host

GAMES, KILLS = 12, 3
CAMPAIGN = float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1"))
MANY_GAMES, MANY_KILLS = int(200 * CAMPAIGN), int(20 * CAMPAIGN)
GAME_LASTS = 16
"""Moves that people make at least; most games take more."""
FIRST_STARTS = 8
STILLBORN = 0.25
"""How many of the kills hit a server that is just starting."""
LONGEST = 900.0


async def kill_often(program: Program, ledger: Ledger, games: int, kills: int, over: asyncio.Event) -> None:
    """At random moments, as moves count them, before the games are over."""
    chance = random.Random(games)
    for wanted in sorted(chance.sample(range(1, GAME_LASTS * games), kills)):
        while ledger.moves < wanted and not over.is_set():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        if over.is_set():
            return
        await asyncio.sleep(chance.uniform(0, 0.03))
        await asyncio.to_thread(program.kill)
        if chance.random() < STILLBORN:
            await asyncio.to_thread(program.start_and_kill, chance.uniform(0.1, 1.5))
        await asyncio.to_thread(program.start)


async def play_all(program: Program, ledger: Ledger, games: int, kills: int) -> list[str]:
    """All games to their ends; tells their tables."""
    async with crowd(Host(program.url), ledger, games) as players, asyncio.timeout(LONGEST):
        over = asyncio.Event()
        killer = asyncio.create_task(kill_often(program, ledger, games, kills, over))
        await asyncio.gather(*(player.play() for player in players))
        over.set()
        await killer
        return sorted({player.table for player in players})


def run_campaign(folder: Path, games: int, kills: int) -> None:
    program, ledger = Program(folder / "data"), Ledger()
    program.start()
    try:
        tables = asyncio.run(play_all(program, ledger, games, kills))
        assert program.end() == 0
    finally:
        program.close()
    kept = kept_in(folder / "data" / "royalcrypt.db")
    counts = {
        "games": len(tables),
        "kills": program.kills,
        "kills while it started": program.stillborn,
        "entries kept": sum(map(len, kept.entries.values())),
        "moves acknowledged": ledger.moves,
        "commands sent again": ledger.resent,
        "acknowledged and lost": lost(ledger, kept),
        "there twice": there_twice(ledger, kept),
        "games not finished": unfinished(tables, kept),
        "records not sound": unsound(kept, folder),
    }
    for name, count in counts.items():
        print(f"{name:>24} {count}")  # noqa: T201 (shown by pytest -s)
    assert list(counts.values())[-4:] == [0, 0, 0, 0]
    assert (counts["games"], counts["kills"], len(kept.records)) == (games, kills, games)
    assert program.complaints == ""


def test_a_server_that_is_killed_loses_nothing_and_every_game_is_finished(tmp_path: Path) -> None:
    run_campaign(tmp_path, GAMES, KILLS)


@pytest.mark.faults
def test_a_server_that_is_killed_again_and_again_loses_nothing_of_two_hundred_games(tmp_path: Path) -> None:
    run_campaign(tmp_path, MANY_GAMES, MANY_KILLS)


@pytest.mark.faults
def test_a_server_that_was_killed_at_its_first_starts_still_starts(tmp_path: Path) -> None:
    chance = random.Random(4)
    for number in range(FIRST_STARTS):
        program = Program(tmp_path / str(number))
        program.data.mkdir()
        for _ in range(3):
            program.start_and_kill(chance.uniform(0.3, 2.0))
        program.start()
        assert program.end() == 0
        program.close()
        assert program.complaints == ""
