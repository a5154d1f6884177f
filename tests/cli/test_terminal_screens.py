"""Screens in terminals of different sizes and abilities."""

import re
from pathlib import Path

import pytest

from tests.cli.terminals import CONTROL, Terminal

PROMPT = "You> "


def widest(screen: str) -> int:
    return max(len(line) for line in screen.split("\n"))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("bots", [None, "greedy,greedy,random"])
def test_the_table_fits_the_terminal(tmp_path: Path, size: tuple[int, int], bots: str | None) -> None:
    options = ("--bots", bots) if bots else ()
    with Terminal(tmp_path, "--seed", "4", *options, size=size) as table:
        for screen in (
            table.wait_for(PROMPT),
            table.say("1:1x2 2:1x3", PROMPT),
            table.say("recover", PROMPT),
        ):
            assert widest(screen) <= size[0]
            assert screen.count("\n") <= size[1]
            for word in (
                "Royal Crypt",
                "Leader",
                "Lights Out",
                "Idol A",
                "Tapestry A",
                "Your turn",
                "on top:",
            ):
                assert word in screen


def test_a_narrow_terminal_gets_lines_instead_of_cards(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4", size=(36, 30)) as table:
        screen = table.wait_for(PROMPT)
        assert widest(screen) <= 36
        assert re.search(r"^1 \w+ \d ", screen, re.MULTILINE)


def test_without_colours_signs_and_words_remain(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4", NO_COLOR="1") as table:
        table.wait_for(PROMPT)
        assert not re.search(r"\x1b\[[0-9;]*[34]8;[25];", table.raw)
        assert "▣▣▣" in table.screen


def test_a_terminal_without_unicode_gets_plain_letters(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4", PYTHONIOENCODING="ascii") as table:
        screen = table.wait_for(PROMPT)
        assert screen.isascii()
        assert "### 3" in screen
        table.type("quit")
        assert table.close() == 0


def test_a_dumb_terminal_can_play(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4", TERM="dumb") as table:
        table.wait_for(PROMPT)
        assert CONTROL.sub("", table.raw).count("\x1b") == 0
        table.say("recover", PROMPT)
