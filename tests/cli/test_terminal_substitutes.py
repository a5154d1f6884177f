"""A simpler bot plays while a bot is being compiled."""

from collections.abc import Callable
from pathlib import Path

import pytest

from royalcrypt.bots.warming import WarmUp
from royalcrypt.cli.terminal import labels
from tests.cli.terminals import Terminal

BOT_FIRST = ("--bots", "seer", "--leader", "2", "--seed", "6")


def test_a_simpler_bot_plays_with_a_notice_while_the_compiler_works(tmp_path: Path) -> None:
    with Terminal(tmp_path, *BOT_FIRST, ROYALCRYPT_CACHE_DIR=str(tmp_path / "caches")) as table:
        screen = table.wait_for("You> ")
        assert "Seer is getting ready" in screen
        assert "Greedy plays in its place" in screen
        assert "getting ready" not in table.say("t", "You> ")
        table.type("quit")
        assert table.close() == 0
        assert "Saved." in table.screen
    assert (tmp_path / "save.json").exists()


def test_a_notice_says_why_a_bot_cannot_be_compiled() -> None:
    warm_up = WarmUp(("seer",), program=("/nowhere/python",))
    warm_up.begin(["seer"])
    assert labels.substitute_notice("Seer", "Greedy", warm_up) == (
        "Seer cannot be made ready here: Greedy plays in its place. "
        "([Errno 2] No such file or directory: '/nowhere/python')"
    )


def must_be_compiled(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def test_a_substitute_does_not_need_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []

    def begin(_: WarmUp, names: list[str]) -> None:
        begun.extend(names)

    monkeypatch.setattr(labels, "must_compile", must_be_compiled("seer", "heir"))
    monkeypatch.setattr(WarmUp, "begin", begin)
    warm_up = labels.warm_up_bots(["heir", "greedy"])
    assert begun == ["heir"]
    assert labels.substitute_for("heir", warm_up) == "greedy"
    assert labels.substitute_for("greedy", warm_up) == "greedy"


def test_a_compiled_bot_plays_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "must_compile", must_be_compiled("heir"))
    warm_up = labels.warm_up_bots(["seer", "greedy"])
    assert not warm_up.is_under_way
    assert labels.substitute_for("seer", warm_up) == "seer"
