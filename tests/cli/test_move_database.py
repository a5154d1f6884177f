"""``royalcrypt move-database``: a database file is copied to PostgreSQL, and games continue there."""

import asyncio
import json
import random
import shutil
import signal
import subprocess
import sys
from contextlib import AsyncExitStack, closing
from pathlib import Path

import httpx
import pytest

from royalcrypt.cli import BAD_INPUT, INTERRUPTED, main
from royalcrypt.server.accounts.keys import SHARED_EPOCH, SHARED_KEY, load_keys
from royalcrypt.server.operations.backups import make_backup
from royalcrypt.storage.database import Database
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite.connection import DatabaseFileLock, open_raw
from royalcrypt.storage.transfer import SOURCE_KEY
from royalcrypt.tables.journal import Status
from tests.cli.crash_runner import MOMENTS
from tests.server.finished import NEVER
from tests.server.harness import Person, people, play_on, seated, serving
from tests.server.registries import Hands, a_registry, play_out
from tests.storage.everything import RUNNING, Rows, done, rows_in

FAULTS = 1
Said = pytest.CaptureFixture[str]


def move(source: Path, url: str, *options: str) -> int:
    return main(["move-database", *options, str(source), url])


def moved(url: str) -> Rows:
    """All rows but those that the move itself writes."""
    found = rows_in(url)
    for key in (SOURCE_KEY, SHARED_KEY, SHARED_EPOCH):
        found["house"].pop((key,), None)
    return found


def refusal(said: Said) -> str:
    """The message of a refusal: one line, and no other output."""
    out, error = said.readouterr()
    assert "Next:" not in out
    assert error.startswith("royalcrypt: ")
    assert error.count("\n") == 1
    assert "geheim" not in error
    return error.strip()


def alter(path: Path, *statements: str) -> None:
    raw = open_raw(path)
    for statement in statements:
        raw.execute(statement)
    raw.close()


def test_everything_is_moved_and_the_next_steps_are_printed(full: Path, url: str, capsys: Said) -> None:
    before = rows_in(path=full)
    assert move(full.parent, url) == 0
    assert moved(url) == before
    out = capsys.readouterr().out
    rows = sum(map(len, before.values()))
    for words in (
        f"{rows} rows are to be moved.",
        f"Compared: {rows} rows are the same on both sides",
        f"Replayed: {len(before['tables'])} games and {len(before['records'])} records",
        "everybody stays signed in",
        "set `database` to the address you gave here, and `channel`",
        f"{full} stays as it was",
    ):
        assert words in out
    assert move(full.parent, url) == 0
    assert "nothing left to do" in capsys.readouterr().out


def test_everybody_stays_signed_in_and_the_admin_link_stays_the_same(full: Path, url: str) -> None:
    assert move(full, url) == 0
    kept = {key[0]: json.loads(row["value"]) for key, row in rows_in(url)["house"].items()}
    keys = load_keys(full.parent)
    assert (kept[SHARED_KEY], kept[SHARED_EPOCH]) == (keys.secret.hex(), keys.epoch)
    assert keys.epoch


def test_a_file_without_its_key_is_moved_with_a_message(full: Path, url: str, capsys: Said) -> None:
    (full.parent / "server.key").unlink()
    assert move(full, url) == 0
    assert f"There is no server.key beside {full}" in capsys.readouterr().out
    assert (SHARED_KEY,) not in rows_in(url)["house"]


def test_a_running_game_continues_after_the_move(full: Path, url: str) -> None:
    assert move(full, url, "--jobs", "1") == 0

    async def work(database: Database) -> None:
        journal = SqlJournal(database)
        [listing] = await journal.listings([Status.RUNNING], is_listed=False)
        house = a_registry(journal, Hands(), pace=NEVER)
        table = await house.table(listing.table)
        assert len([entry for entry in await journal.entries(table.id) if b'"moved"' in entry]) == RUNNING
        assert (await play_out(house, table.id)).status is Status.OVER
        assert await journal.record(table.id)

    done(work, url)


def test_people_continue_their_game_after_the_move(tmp_path: Path, url: str) -> None:
    chance = random.Random(5)

    async def begin() -> tuple[str, str, list[httpx.Cookies]]:
        async with serving(tmp_path / "one") as host, people(host, 2) as players:
            table = await seated(players)
            await play_on(players, table, chance, most=5)
            return table, host.service.keys.admin_token(), [each.http.cookies for each in players]

    async def go_on() -> str:
        async with serving(tmp_path / "other", database=url) as host, AsyncExitStack() as stack:
            players: list[Person] = []
            for cookies in known:
                http = await stack.enter_async_context(host.client(cookies=cookies))
                players.append(Person(host, http, (await http.get("/api/me")).json()["name"]))
                await players[-1].connect()
                stack.push_async_callback(players[-1].disconnect)
                await players[-1].watch(table)
            assert [each.name for each in players] == ["Ada", "Bo"]
            await play_on(players, table, chance)
            assert players[0].view["phase"] == "over"
            return host.service.keys.admin_token()

    table, token, known = asyncio.run(begin())
    assert move(tmp_path / "one", url) == 0
    assert asyncio.run(go_on()) == token


def test_a_backup_is_moved_with_the_key_in_it(full: Path, url: str, tmp_path: Path) -> None:
    make_backup(full.parent, tmp_path / "backup.zip")
    assert move(tmp_path / "backup.zip", url) == 0
    assert moved(url) == rows_in(path=full)
    assert (SHARED_KEY,) in rows_in(url)["house"]


def test_an_older_file_is_migrated_first(full: Path, url: str, capsys: Said) -> None:
    alter(
        full,
        "DROP INDEX ix_tables_changed",
        "DROP INDEX ix_tables_lobby",
        "ALTER TABLE tables DROP COLUMN lobby",
        "ALTER TABLE tables DROP COLUMN changed",
        "ALTER TABLE tables DROP COLUMN ply",
        "DROP TABLE notices",
        "UPDATE alembic_version SET version_num = '0002'",
    )
    assert move(full, url) == 0
    assert len(list((full.parent / "backups").glob("*before-*.db"))) == 1
    assert moved(url) == rows_in(path=full)
    assert "Replayed: 4 games" in capsys.readouterr().out


def test_games_are_replayed_by_several_processes(
    full: Path, url: str, capsys: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("royalcrypt.cli.move_database.GAMES_PER_JOB", 2)
    monkeypatch.setattr("royalcrypt.storage.transfer.GAMES_AT_ONCE", 1)
    assert move(full, url, "--jobs", "2") == 0
    assert "Replayed: 4 games and 2 records" in capsys.readouterr().out


def test_broken_games_are_reported_and_moved_unchanged(full: Path, url: str, capsys: Said) -> None:
    first, second = sorted(key[0] for key in rows_in(path=full)["records"])
    running = next(
        key[0] for key, row in rows_in(path=full)["tables"].items() if row["status"] == Status.RUNNING
    )
    alter(
        full,
        f"UPDATE journal SET entry = CAST('{{' AS BLOB) WHERE ply = 4 AND table_id = '{first}'",
        f"UPDATE records SET record = x'ff' WHERE table_id = '{first}'",
        f"DELETE FROM records WHERE table_id = '{second}'",
        f"DELETE FROM journal WHERE ply = 2 AND table_id = '{second}'",
        f"UPDATE tables SET status = 'open' WHERE id = '{running}'",
        "INSERT INTO journal VALUES ('nowhere', 0, x'00')",
    )
    assert move(full, url) == FAULTS
    assert moved(url) == rows_in(path=full)
    lines = capsys.readouterr().out.splitlines()
    other = "it is running after 13 entries, and listed as open after 13."
    told = [line for line in lines if line.startswith(("Game ", "The record of game "))]
    assert sorted(told) == sorted(
        [
            f"Game {first} cannot be played again: DecodeError: Input data was truncated",
            f"The record of game {first} does not pass: This is not text in UTF-8.",
            f"Game {second} cannot be played again: entries are missing.",
            f"Game {second} is over, and has no record.",
            f"Game {running} cannot be played again: {other}",
        ]
    )
    assert "One entry belongs to no table." in lines
    assert any(line.startswith("6 things were broken before") for line in lines)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_move_is_resumed(full: Path, url: str, moment: str) -> None:
    assert die("SIGKILL", moment, 4 if "page" in moment else 1, full, url).returncode == -signal.SIGKILL
    assert move(full, url) == 0
    assert moved(url) == rows_in(path=full)


def die(of: str, moment: str, time: int, full: Path, url: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "tests.cli.crash_runner",
        of,
        moment,
        str(time),
        "move-database",
        str(full),
        url,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("moment", ["after a page was written", "while games are replayed"])
def test_ctrl_c_prints_how_to_resume(full: Path, url: str, moment: str) -> None:
    ended = die("SIGINT", moment, 2, full, url)
    assert (ended.returncode, ended.stderr) == (INTERRUPTED, "")
    assert ended.stdout.splitlines()[-1] == "Stopped. The same command goes on with it."
    assert move(full, url) == 0
    assert moved(url) == rows_in(path=full)


def test_closed_output_does_not_stop_the_move(full: Path, url: str) -> None:
    command = f"{sys.executable} -m royalcrypt move-database {full} {url} | true; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert moved(url) == rows_in(path=full)


def test_the_file_of_a_running_server_is_refused(full: Path, url: str, capsys: Said) -> None:
    with closing(DatabaseFileLock(full)):
        assert move(full, url) == BAD_INPUT
    assert "is in use by a running server" in refusal(capsys)


def test_a_foreign_file_is_refused(tmp_path: Path, url: str, capsys: Said) -> None:
    for name in ("missing.db", "empty.db", "text.db", "other.db", "damaged.zip"):
        path = tmp_path / name
        match path.stem:
            case "empty":
                path.touch()
            case "text":
                path.write_text("no database, but long enough to be looked at " * 20)
            case "other":
                alter(path, "CREATE TABLE journal (id INTEGER)")
            case "damaged":
                path.write_bytes(b"PK\3\4")
            case _:
                pass
        assert move(path, url) == BAD_INPUT
        said = refusal(capsys)
        assert str(path) in said
        assert any(words in said for words in ("cannot be read", "is not a database", "is not a backup"))
    assert move(tmp_path, url) == BAD_INPUT
    assert "royalcrypt.db" in refusal(capsys)
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".lock")]


def test_a_newer_file_is_refused(full: Path, url: str, capsys: Said) -> None:
    alter(full, "UPDATE alembic_version SET version_num = '9999'")
    assert move(full, url) == BAD_INPUT
    assert "newer Royal Crypt" in refusal(capsys)


def test_a_damaged_file_is_refused(full: Path, url: str, capsys: Said) -> None:
    whole = full.read_bytes()
    full.write_bytes(whole[: len(whole) // 3] + b"\xff" * 8192 + whole[len(whole) // 3 + 8192 :])
    assert move(full, url) == BAD_INPUT
    assert "is damaged" in refusal(capsys)
    assert rows_in(url)["people"] == {}


@pytest.mark.parametrize(
    "address",
    ["crypt.db", "sqlite:///crypt.db", "redis://:geheim@host/0", "postgresql://", "postgresql://h:x/d"],
)
def test_a_wrong_postgres_address_is_refused(full: Path, address: str, capsys: Said) -> None:
    assert move(full, address) == BAD_INPUT
    assert "give a PostgreSQL address" in refusal(capsys)


def test_an_unreachable_postgres_is_reported_without_its_password(full: Path, capsys: Said) -> None:
    assert move(full, "postgresql://crypt:geheim@127.0.0.1:1/crypt") == BAD_INPUT
    assert "127.0.0.1:1/crypt cannot be reached" in refusal(capsys)


def test_a_postgres_that_is_not_empty_is_refused(full: Path, url: str, tmp_path: Path, capsys: Said) -> None:
    assert move(full, url) == 0
    capsys.readouterr()
    other = Path(shutil.copy(full, tmp_path / "other.db"))
    alter(other, "DELETE FROM chat")
    assert move(other, url, "--anew") == BAD_INPUT
    assert "is not empty" in refusal(capsys)
    assert moved(url) == rows_in(path=full)


def test_an_unfinished_move_of_another_file_is_dropped_only_on_request(
    full: Path, url: str, tmp_path: Path, capsys: Said
) -> None:
    die("SIGKILL", "after a page was written", 4, full, url)
    other = Path(shutil.copy(full, tmp_path / "other.db"))
    alter(other, "DELETE FROM chat")
    assert move(other, url) == BAD_INPUT
    assert "--anew" in refusal(capsys)
    assert move(other, url, "--anew") == 0
    assert moved(url) == rows_in(path=other)


def test_a_foreign_postgres_database_is_refused(full: Path, url: str, capsys: Said) -> None:
    from royalcrypt.storage.postgres.connection import connect

    async def spoil() -> None:
        raw = await connect(url)
        await raw.execute("DROP TABLE journal")
        await raw.close()

    asyncio.run(spoil())
    assert move(full, url) == BAD_INPUT
    assert "is not a database of Royal Crypt" in refusal(capsys)


@pytest.mark.parametrize("jobs", ["0", "65", "many"])
def test_jobs_are_a_number_within_bounds(full: Path, url: str, jobs: str, capsys: Said) -> None:
    assert move(full, url, "--jobs", jobs) == BAD_INPUT
    assert "jobs" in refusal(capsys)
