"""Databases of earlier versions are brought to this one; the old file is kept."""

import asyncio
import json
import random
import shutil
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.migrations import VERSIONS, known_versions
from royalcrypt.storage.schema import metadata
from royalcrypt.storage.sqlite.backup import check
from royalcrypt.storage.sqlite.connection import connect, open_raw, version_of
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.sqlite.dialect import engine_on
from royalcrypt.storage.sqlite.migration import migrate
from royalcrypt.tables.listings import FULL, IN_PLAY, JOINABLE
from tests.storage.lines import entry_at, line
from tests.storage.power import PowerVfs, cut

NEXT = '''
"""A later version, for tests: tables get a colour, and people are told apart by it."""

import sqlalchemy as sa
from alembic import op

revision = "9001"
down_revision = "{newest}"


def upgrade() -> None:
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sa.Column("colour", sa.Text, nullable=False, server_default="red"))
        tables.alter_column("actor", new_column_name="chooser")
    {ending}
'''


def later_versions(folder: Path, ending: str = "pass") -> tuple[Path, ...]:
    place = folder / "later"
    place.mkdir()
    (place / "9001_colours.py").write_text(NEXT.format(newest=known_versions()[-1], ending=ending))
    return (*VERSIONS, place)


@pytest.fixture
def played(path: Path) -> Path:
    """A database with some games in it."""

    async def play() -> None:
        database = await SqliteDatabase.open(path)
        for ply in range(20):
            await SqlJournal(database).append(line(ply=ply, record=b"record"))
        await database.close()

    asyncio.run(play())
    return path


def entries_in(path: Path) -> list[Any]:
    with closing(open_raw(path)) as raw:
        check(raw, path)
        return [entry for (entry,) in raw.execute("SELECT entry FROM journal ORDER BY ply")]


def version_in(path: Path) -> str | None:
    with closing(open_raw(path)) as raw:
        return version_of(raw, path)


GAMES = [entry_at("crypt", ply) for ply in range(20)]


def test_the_migrations_make_just_the_schema(path: Path) -> None:
    with engine_on(connect(path)).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_the_migrations_make_the_same_statements_as_the_schema(path: Path, tmp_path: Path) -> None:
    """Autogeneration does not look at everything: not at WITHOUT ROWID, checks or autoincrement."""

    def statements(raw: Any) -> dict[str, str]:
        rows = raw.execute(
            "SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL AND name <> 'alembic_version'"
        )
        return {name: " ".join(sql.split()) for name, sql in rows}

    with closing(connect(tmp_path / "made.db")) as made, closing(connect(path)) as migrated:
        with engine_on(made).begin() as connection:
            metadata.create_all(connection)
            expected = statements(made)
        assert statements(migrated) == expected


def test_results_are_read_off_the_records_that_were_there_before(tmp_path: Path) -> None:
    path, first = tmp_path / "old.db", tmp_path / "first"
    first.mkdir()
    shutil.copy(VERSIONS[0] / "0001_first.py", first)
    migrate(path, versions=(first,))
    record = (Path(__file__).parents[1] / "golden" / "records" / "2-players.json").read_bytes()
    with closing(open_raw(path)) as raw:
        for table, text in (("played", record), ("broken", b"{}")):
            raw.execute("INSERT INTO tables VALUES (?, 'over', 0, NULL, NULL, 1, 1, '')", (table,))
            raw.execute("INSERT INTO records VALUES (?, ?, 5)", (table, text))
            raw.execute("INSERT INTO seats VALUES (?, 0, 'anna')", (table,))
    migrate(path)
    result = json.loads(record)["result"]
    with closing(open_raw(path)) as raw:
        found = raw.execute("SELECT table_id, seat, person_id, score, place, is_winner, ended FROM results")
        assert found.fetchall() == [
            (
                "played",
                seat,
                whose,
                result["scores"][seat],
                result["places"][seat],
                seat in result["winners"],
                5,
            )
            for seat, whose in ((0, "anna"), (1, None))
        ]


def test_tables_that_were_there_before_have_their_place_in_the_lobby(tmp_path: Path) -> None:
    path, earlier = tmp_path / "old.db", tmp_path / "earlier"
    earlier.mkdir()
    for version in VERSIONS[0].glob("000[123]_*.py"):
        shutil.copy(version, earlier)
    migrate(path, versions=(earlier,))
    room, full = ([{"kind": "person"}, {"kind": kind}] for kind in ("free", "kept"))
    before = [
        ("room", "open", True, room, JOINABLE),
        ("full", "open", True, full, FULL),
        ("running", "running", True, full, IN_PLAY),
        ("over", "over", True, full, None),
        ("private", "open", False, room, None),
    ]
    with closing(open_raw(path)) as raw:
        for table, status, is_listed, seats, _ in before:
            told = json.dumps({"seats": seats}).encode()
            raw.execute(
                "INSERT INTO tables (id, status, is_listed, told, updated, created) VALUES (?,?,?,?,1,1)",
                (table, status, is_listed, told),
            )
    migrate(path)
    with closing(open_raw(path)) as raw:
        found = dict(raw.execute("SELECT id, lobby FROM tables").fetchall())
    assert found == {table: lobby for table, *_, lobby in before}


def test_a_new_database_is_ours_and_nobody_elses_to_read(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    migrate(path)
    assert version_in(path) == known_versions()[-1]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not (tmp_path / "backups").exists()


def test_a_database_of_this_version_is_opened_without_alembic(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from royalcrypt.storage.sqlite.migration import migrate;"
        "migrate(Path(sys.argv[1])); assert not {'alembic', 'sqlalchemy', 'sqlite3'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)


def test_an_older_database_is_migrated_with_its_games_and_a_backup_kept(played: Path, tmp_path: Path) -> None:
    before = version_in(played)
    migrate(played, versions=later_versions(tmp_path))
    assert version_in(played) == "9001"
    assert entries_in(played) == GAMES
    with closing(open_raw(played)) as raw:
        assert raw.execute("SELECT colour, chooser FROM tables").fetchall() == [("red", 0)]
        assert raw.execute("SELECT count(*) FROM seats").get == 3
        assert raw.execute("SELECT count(*) FROM records").get == 1
    (kept,) = (tmp_path / "backups").iterdir()
    assert kept.name.startswith("crypt-before-9001-")
    assert version_in(kept) == before
    assert entries_in(kept) == GAMES


@pytest.mark.parametrize(
    "ending", ["raise RuntimeError('half way')", "op.execute('DELETE FROM tables')", "op.execute('nonsense')"]
)
def test_a_failed_migration_leaves_the_database_as_it_was(played: Path, tmp_path: Path, ending: str) -> None:
    before = version_in(played)
    with pytest.raises(Refusal) as refused:
        migrate(played, versions=later_versions(tmp_path, ending))
    assert refused.value.reason is Reason.MIGRATION_FAILED
    assert version_in(played) == before
    assert entries_in(played) == GAMES
    migrate(played)


def test_power_cuts_leave_a_migration_done_or_undone(played: Path, tmp_path: Path) -> None:
    versions = later_versions(tmp_path)
    vfs = PowerVfs("migrating")
    before = {"crypt.db": played.read_bytes()}
    migrate(played, vfs=vfs.name, versions=versions)
    chance = random.Random(1)
    after = tmp_path / "after"
    seen: set[str | None] = set()
    for moment in range(len(vfs.notes) + 1):
        shutil.rmtree(after, ignore_errors=True)
        after.mkdir()
        for name, data in cut(before, vfs.notes[:moment], chance).items():
            (after / name).write_bytes(data)
        seen.add(version_in(after / "crypt.db"))
        assert entries_in(after / "crypt.db") == GAMES
    assert seen == {known_versions()[-1], "9001"}


def test_a_newer_database_is_refused_and_untouched(played: Path, tmp_path: Path) -> None:
    migrate(played, versions=later_versions(tmp_path))
    before = played.read_bytes()
    with pytest.raises(Refusal) as refused:
        migrate(played)
    assert refused.value.reason is Reason.DATABASE_NEWER
    assert refused.value.details == {"file": str(played), "found": "9001", "needed": known_versions()[-1]}
    assert played.read_bytes() == before


def test_somebody_elses_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with closing(open_raw(path)) as raw:
        raw.execute("CREATE TABLE recipes (name)")
    with pytest.raises(Refusal) as refused:
        migrate(path)
    assert refused.value.reason is Reason.NOT_A_DATABASE
    with closing(open_raw(path)) as raw:
        assert raw.execute("SELECT name FROM sqlite_schema").get == "recipes"
        assert raw.pragma("journal_mode") == "delete"
