"""Files and messages of version 0.1.0 stay valid: names that are persisted or sent do not follow the code.

``made/`` was written by version 0.1.0: a data folder, a terminal save and a training checkpoint.
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from royalcrypt.cli.terminal.games import read_save
from royalcrypt.lab.training import Training
from tests.compatibility.wire import MADE, documents
from tests.server.harness import Host, Json, with_server
from tests.storage.everything import rows_in

EXPECTED: Json = json.loads((MADE / "expected.json").read_text("utf-8"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the data folder."""
    for name in ("royalcrypt.db", "server.key", "admin.epoch"):
        shutil.copy(MADE / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["openapi.json", "socket.json"])
def test_the_wire_documents_are_unchanged_apart_from_wording(name: str) -> None:
    """If a route or message is added on purpose, run ``make golden`` and read the diff."""
    assert documents()[name] == (MADE / name).read_text("utf-8")


def test_every_row_of_an_earlier_database_is_kept(data: Path) -> None:
    rows = rows_in(path=data / "royalcrypt.db")
    assert {name: len(found) for name, found in rows.items()} == EXPECTED["rows"]


def test_an_earlier_database_is_served_with_its_tables_as_they_were(data: Path) -> None:
    async def test(host: Host) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for table_id in EXPECTED["tables"]:
            table = await host.service.house.table(table_id)
            position = table.game.position() if table.game else ""
            found[table_id] = {"status": table.status.value, "ply": table.ply, "position": position}
        return found

    assert with_server(test, data) == EXPECTED["tables"]


def test_an_earlier_save_is_resumed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copy(MADE / "save.json", tmp_path)
    monkeypatch.setenv("ROYALCRYPT_DATA", str(tmp_path))
    saved = read_save()
    assert (saved.bot_seed, saved.told, saved.game.position()) == (7, [3, 0, 5], EXPECTED["save"])


def test_an_earlier_checkpoint_is_resumed() -> None:
    training = Training.resumed(MADE / "checkpoint.npz")
    digest = hashlib.sha256(np.ascontiguousarray(training.learner.weights).tobytes()).hexdigest()
    assert (training.games, training.learner.steps, digest) == tuple(EXPECTED["checkpoint"])
