"""SQLAlchemy on apsw: results, transactions and errors are what SQLAlchemy expects of a driver."""

from pathlib import Path

import apsw
import pytest
from sqlalchemy import Column, Connection, Integer, LargeBinary, MetaData, Table, Text, delete, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError

from royalcrypt.storage.sqlite.connection import connect, open_raw
from royalcrypt.storage.sqlite.dialect import engine_on

things = Table(
    "things",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", Text, unique=True),
    Column("data", LargeBinary),
)
ROWS = [{"name": name, "data": name.encode()} for name in ("die", "card", "crypt")]


def opened(folder: Path, *, is_managed: bool = False) -> Connection:
    return engine_on(open_raw(folder / "things.db", busy=0), is_managed=is_managed).connect()


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    connection = opened(tmp_path)
    things.create(connection)
    connection.execute(insert(things), ROWS)
    connection.commit()
    return connection


def test_rows_come_back_as_they_were_put_in_one_by_one_or_in_parts(connection: Connection) -> None:
    wanted = select(things).order_by(things.c.id)
    expected = [(number, row["name"], row["data"]) for number, row in enumerate(ROWS, 1)]
    assert connection.execute(wanted).all() == expected
    assert connection.execute(wanted).first() == expected[0]
    assert connection.execute(wanted).fetchmany(2) == expected[:2]
    connection.close()


def test_an_empty_result_still_has_its_columns(connection: Connection) -> None:
    found = connection.execute(select(things).where(things.c.id > 99))
    assert list(found.keys()) == ["id", "name", "data"]
    assert found.all() == []
    connection.close()


def test_how_many_rows_were_changed_is_told(connection: Connection) -> None:
    assert connection.execute(insert(things), [{"name": "tomb"}, {"name": "torch"}]).rowcount == 2
    assert connection.execute(insert(things).values(name="idol")).inserted_primary_key == (6,)
    assert connection.execute(delete(things).where(things.c.id < 3)).rowcount == 2
    assert connection.execute(delete(things).where(things.c.id < 3)).rowcount == 0
    connection.close()


def test_what_is_rolled_back_was_never_there(connection: Connection, tmp_path: Path) -> None:
    connection.execute(delete(things))
    with opened(tmp_path) as other, pytest.raises(OperationalError) as refused:
        other.execute(insert(things).values(name="late"))
    assert isinstance(refused.value.orig, apsw.BusyError)
    connection.rollback()
    with connection.begin_nested() as nested:
        connection.execute(delete(things))
        nested.rollback()
    assert len(connection.execute(select(things)).all()) == 3
    connection.close()


def test_errors_are_sqlalchemys_own(connection: Connection) -> None:
    with pytest.raises(IntegrityError):
        connection.execute(insert(things).values(name="die"))
    with pytest.raises(OperationalError):
        connection.exec_driver_sql("SELECT nonsense FROM nowhere")
    connection.close()


def test_a_file_that_cannot_be_set_up_is_closed_again(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, " * 1000)
    with pytest.raises(apsw.NotADBError):
        connect(letter)


def test_a_managed_connection_leaves_transactions_to_its_owner(
    connection: Connection, tmp_path: Path
) -> None:
    raw = open_raw(tmp_path / "things.db")
    managed = engine_on(raw, is_managed=True).connect()
    raw.execute("BEGIN")
    managed.execute(delete(things))
    managed.commit()
    assert raw.in_transaction
    raw.execute("ROLLBACK")
    assert len(managed.execute(select(things)).all()) == 3
    managed.close()
    connection.close()
