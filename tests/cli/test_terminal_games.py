"""Whole games at a pseudo-terminal: alone, against a bot, and together at one keyboard."""

import json
import re
import signal
import stat
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Game
from tests.cli.terminals import Terminal

PROMPT = "(You|Ada|Bo)> "
HAND_OVER = r"alone with the screen\. "
END = r"kept in [^\n]*json"
REFUSED = re.compile("held with|You hold card|no die ready|cannot beat|That takes")
TRIES = ("1:1x2", "2:1x3", "3:1x2", "1:1x6", "3:1x6", "recover")


def play_on(table: Terminal, *, moves: int | None = None) -> list[str]:
    """Claim the first card that one die can claim, else recover; to the end, or for this many moves.

    Returns the screens shown.
    """
    screens: list[str] = []
    tried = 0
    made = 0
    while True:
        screen = table.wait_for(f"({PROMPT}|{HAND_OVER}|{END})")
        screens.append(screen)
        if re.search(END, screen):
            return screens
        if re.search(HAND_OVER, screen):
            table.type("")
            continue
        if REFUSED.search(screen):
            tried += 1
        else:
            tried = 0
            made += 1
            if moves is not None and made > moves:
                return screens
        table.type("decline" if "or decline" in screen else TRIES[tried])


def the_record(folder: Path) -> dict[str, Any]:
    (path,) = (folder / "records").glob("*.json")
    return json.loads(path.read_text("utf-8"))


def test_a_whole_game_against_the_ghost_ends_with_a_score_sheet_and_a_title(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        screens = play_on(table)
        assert table.close() == 0
    assert any("The Ghost rolls" in screen for screen in screens)
    assert "The score sheet" in screens[-1]
    assert re.search(r"They will call you The (Fool|Petty|Affluent|Magnificent)\.", screens[-1])
    record = the_record(tmp_path)
    assert Game.from_record(record).is_over
    assert str(record["result"]["scores"][0]) in screens[-1]
    assert not (tmp_path / "save.json").exists()


def test_a_whole_game_against_a_bot_shows_its_moves_and_saves_the_record(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--bots", "greedy", "--collectors", "random", "--seed", "6") as table:
        screens = play_on(table)
        assert table.close() == 0
    assert any(re.search("Greedy (places|recovers|waits)", screen) for screen in screens)
    assert re.search("(You inherit|Greedy inherits) it all|share the inheritance", screens[-1])
    seats = the_record(tmp_path)["game"]["seats"]
    assert seats == [{"name": "You", "kind": "human"}, {"name": "Greedy", "kind": "bot:greedy"}]


def test_two_people_at_one_keyboard_hand_over_and_finish(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--players", "2", "--names", "Ada,Bo", "--seed", "8") as table:
        screens = play_on(table)
        assert table.close() == 0
    assert any("Hand over to Bo" in screen for screen in screens)
    assert any("Hand over to Ada" in screen for screen in screens)
    assert "Place" in screens[-1]


def test_the_screen_is_empty_during_a_hand_over(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--players", "2", "--names", "Ada,Bo", "--seed", "8") as table:
        play_on(table, moves=2)
        table.type("recover")
        shown = " ".join(table.wait_for(HAND_OVER).split())
    assert re.fullmatch(r"Hand over to (Ada|Bo)\. Press Enter when you are alone with the screen\.", shown)


def test_private_information_is_shown_only_on_the_alternate_screen(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--players", "2", "--names", "Ada,Bo", "--seed", "8") as table:
        play_on(table, moves=2)
        table.type("quit")
        assert table.close() == 0
        before, entered, rest = table.raw.partition("\x1b[?1049h")
        _, left, after = rest.rpartition("\x1b[?1049l")
    assert entered
    assert left
    assert "Crypt" not in before
    assert "Crypt" not in after


@pytest.mark.parametrize("how", ["ctrl-c", "end of input", "quit", "hang-up"])
def test_leaving_saves_the_game_for_this_user_alone(tmp_path: Path, how: str) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        table.say("1:2x3")
        match how:
            case "ctrl-c":
                table.press("\x03")
            case "end of input":
                table.press("\x04")
            case "quit":
                table.type("quit")
            case _:
                table.process.send_signal(signal.SIGHUP)
        assert table.close() == 0
        assert "royalcrypt play --resume" in table.screen
    save = tmp_path / "save.json"
    assert stat.S_IMODE(save.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["save.json"]
    assert Game.from_record(save.read_text("utf-8")).moves[0][0] == 0


def test_a_resumed_game_gets_the_same_cards_and_dice(tmp_path: Path) -> None:
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    options = ("--bots", "greedy", "--collectors", "BABABB", "--seed", "21")
    with Terminal(whole, *options) as table:
        play_on(table)
        assert table.close() == 0
    with Terminal(halves, *options) as table:
        play_on(table, moves=4)
        table.press("\x03")
        assert table.close() == 0
    with Terminal(halves, "--resume") as table:
        screens = play_on(table)
        assert table.close() == 0
    assert "Welcome back" in screens[0]
    assert the_record(whole)["events"] == the_record(halves)["events"]
    assert not (halves / "save.json").exists()


def test_a_save_keeps_the_secret_of_the_game(tmp_path: Path) -> None:
    with Terminal(tmp_path) as table:
        table.wait_for(PROMPT)
        table.press("\x03")
        assert table.close() == 0
    secret = json.loads((tmp_path / "save.json").read_text("utf-8"))["secret"]
    with Terminal(tmp_path, "--resume") as table:
        play_on(table)
        assert table.close() == 0
    assert the_record(tmp_path)["fairness"]["seed"] == secret


def test_a_new_game_says_that_another_is_saved_and_finishing_it_leaves_that_save(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "1") as table:
        table.wait_for(PROMPT)
        table.type("quit")
        table.close()
    with Terminal(tmp_path, "--seed", "2") as table:
        screens = play_on(table)
        table.close()
    assert "Another game is saved" in screens[0]
    assert (tmp_path / "save.json").exists()
