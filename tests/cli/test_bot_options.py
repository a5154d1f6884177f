"""Bots on the command line: by name, or by an import path, also from the current folder."""

import sys
from pathlib import Path

import pytest

from royalcrypt.cli import main

MINE = """
class Mine:
    name = "mine"

    def choose(self, view, budget):
        return next(view.moves())
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_of_this_folder_plays(
    jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_own_bot.py").write_text(MINE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert (
        main(["simulate", "--bots", "my_own_bot:Mine, random", "--games", "4", "--jobs", jobs, "--json"]) == 0
    )
    assert '"my_own_bot:Mine"' in capsys.readouterr().out


def test_a_wrong_import_path_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--bots", "nowhere_at_all:Bot"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_only_listed_bots_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "--measure", "--bots", "royalcrypt.bots.plain_bots:GreedyBot"]) == 2
    assert 'There is no bot "royalcrypt.bots.plain_bots:GreedyBot"' in capsys.readouterr().err
