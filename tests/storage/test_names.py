"""The room's names: there when asked for, and free until then."""

import subprocess
import sys

import pytest

import royalcrypt.storage

LOOK = """
import sys
import royalcrypt.storage
from royalcrypt.storage import back_up
assert not {"sqlalchemy", "alembic", "sqlite3"} & set(sys.modules)
"""


@pytest.mark.parametrize("name", [name for names in royalcrypt.storage._NAMES.values() for name in names])
def test_every_name_is_there(name: str) -> None:
    assert getattr(royalcrypt.storage, name).__name__ == name


def test_no_other_name_is() -> None:
    with pytest.raises(AttributeError):
        royalcrypt.storage.Nothing  # noqa: B018 # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]


def test_a_backup_needs_no_sqlalchemy_and_nothing_opens_the_file_with_another_sqlite() -> None:
    subprocess.run([sys.executable, "-c", LOOK], check=True)
