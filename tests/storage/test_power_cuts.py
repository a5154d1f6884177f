"""Whatever was acknowledged is there after a power cut, and nothing is there in part."""

import asyncio
import random
import shutil
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite.connection import Synchronous, Tuning, open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.worker import DatabaseWorker, Job
from tests.storage.lines import entry_at, line
from tests.storage.power import Note, PowerVfs, Told, cut

SESSIONS = 25
CUTS_A_SESSION = 20
CHECKPOINTS = (4, 20, 60, 1000)
TABLES = [f"table-{number}" for number in range(6)]
PEOPLE = (("anna", "ben"), ("anna", None), (None, "cleo"))


class Session:
    """Some tables play on one disk; what became of the disk and what was acknowledged is noted in order."""

    def __init__(self, template: Path, folder: Path, seed: int, synchronous: Synchronous) -> None:
        self._chance = random.Random(seed)
        self._path = Path(shutil.copy(template, folder / "crypt.db"))
        # Some sessions meet a checkpoint at every commit, some none but the last.
        self._tuning = Tuning(synchronous=synchronous, checkpoint=CHECKPOINTS[seed % len(CHECKPOINTS)])
        self._vfs = PowerVfs(f"power-{seed}")
        self.before = {"crypt.db": self._path.read_bytes()}
        asyncio.run(self._play())
        self.notes: list[Note] = self._vfs.notes

    async def _play(self) -> None:
        sent = dict.fromkeys(TABLES, 0)
        for _ in range(2):
            database = await SqliteDatabase.open(self._path, vfs=self._vfs.name, tuning=self._tuning)
            await asyncio.gather(*(self._play_at(table, sent, SqlJournal(database)) for table in TABLES))
            await database.close()

    async def _play_at(self, table: str, sent: dict[str, int], journal: SqlJournal) -> None:
        for _ in range(self._chance.randint(1, 10)):
            ply = sent[table]
            sent[table] += 1
            told = b"x" * self._chance.choice((10, 1000, 9000))
            people = self._chance.choice(PEOPLE)
            await journal.append(line(table, ply, updated=ply, info=told, people=people, record=told))
            self._vfs.notes.append(Told((table, ply)))


def lost_after(session: Session, moment: int, folder: Path, chance: random.Random) -> int:
    """How many acknowledged entries are missing after a cut; all else that could be wrong fails."""
    notes = session.notes[:moment]
    acknowledged = Counter(note.what[0] for note in notes if isinstance(note, Told))
    for old in folder.iterdir():
        old.unlink()
    for name, data in cut(session.before, notes, chance).items():
        (folder / name).write_bytes(data)
    lost = 0
    with closing(open_raw(folder / "crypt.db")) as raw:
        assert raw.pragma("integrity_check") == "ok"
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        for table in TABLES:
            rows = raw.execute("SELECT ply, entry FROM journal WHERE table_id = ? ORDER BY ply", (table,))
            kept = rows.fetchall()
            assert kept == [(ply, entry_at(table, ply)) for ply in range(len(kept))]
            beside = raw.execute(
                "SELECT updated, length(told) = length(record) FROM tables JOIN records ON table_id = id "
                "WHERE id = ?",
                (table,),
            )
            assert beside.fetchall() == ([(len(kept) - 1, 1)] if kept else [])
            lost += max(0, acknowledged[table] - len(kept))
    return lost


def losses(template: Path, folder: Path, synchronous: Synchronous, *, sessions: int) -> list[int]:
    """What each of many cuts cost."""
    chance = random.Random(synchronous)
    found: list[int] = []
    for seed in range(sessions):
        place = folder / str(seed)
        after = folder / f"{seed}-after"
        place.mkdir()
        after.mkdir()
        session = Session(template, place, seed, synchronous)
        moments = [chance.randint(0, len(session.notes)) for _ in range(CUTS_A_SESSION)]
        found += [lost_after(session, moment, after, chance) for moment in moments]
        shutil.rmtree(place)
    return found


def test_five_hundred_power_cuts_lose_nothing_that_was_acknowledged(
    empty_database: Path, tmp_path: Path
) -> None:
    found = losses(empty_database, tmp_path, "FULL", sessions=SESSIONS)
    assert len(found) == 500
    assert sum(found) == 0


def test_the_cuts_bite_where_commits_do_not_sync_the_log(empty_database: Path, tmp_path: Path) -> None:
    found = losses(empty_database, tmp_path, "NORMAL", sessions=8)
    assert sum(1 for lost in found if lost) > len(found) / 10


def test_the_cuts_do_harm_where_nothing_is_synced(empty_database: Path, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, apsw.Error)):
        assert sum(losses(empty_database, tmp_path, "OFF", sessions=4)) == 0


def test_the_cuts_bite_a_writer_that_answers_before_it_commits(
    empty_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do = DatabaseWorker._do

    def do_hastily(self: DatabaseWorker, group: list[Job]) -> None:
        self._queue.answer(group)
        time.sleep(0.001)
        do(self, group)

    monkeypatch.setattr(DatabaseWorker, "_do", do_hastily)
    assert sum(losses(empty_database, tmp_path, "FULL", sessions=4)) > 0
