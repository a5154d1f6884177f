"""Right and wrong input at the terminal."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from royalcrypt import Game, Seat
from royalcrypt.cli.terminal.games import SavedGame, write_save
from tests.cli.terminals import Terminal

PROMPT = "(You|Ada|Bo)> "


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("bogus", "is not a move"),
        ("1:4x1", "4 dice cannot be placed"),
        ("1:1x7", "EvaluationBudget 7 cannot be"),
        ("9:1x1", "There is no card 9"),
        ("1:1x1 1:1x2", "named twice"),
        ("1:2x1 2:2x2", "That takes 4 dice"),
        ("peek", "needs side B of the manuscript Collector"),
        ("reroll 1", "flip 1 of your idol cards"),
        ("mend R1 R2", "flip 2 of your remains cards"),
        ("take 1", "needs side B of the pottery Collector"),
        ("decline", "You cannot decline now"),
        ("bo: peek M1", "Nobody here is called"),
        ("u", "a confirmed move stands"),
        (";;;", "is not a move"),
        ("\u00df\u2620[bold]", "is not a move"),
    ],
)
def test_wrong_input_gets_a_reason_and_a_new_prompt(shared: Terminal, typed: str, reason: str) -> None:
    assert reason in re.sub(r"\s+", " ", shared.say(typed, PROMPT))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    with Terminal(tmp_path_factory.mktemp("shared"), "--seed", "4") as table:
        table.wait_for(PROMPT)
        yield table


def test_the_help_page_shows_the_notation_and_every_collector(shared: Terminal) -> None:
    first = shared.say("?", "back ")
    second = shared.say("", "(back|table\\.) ")
    assert "1:2x3" in first
    assert "Jewelry counts twice" in first + second
    if "Enter: more" in second:
        shared.say("", "table\\. ")
    shared.say("", PROMPT)


def test_the_log_and_the_deck_can_be_read_at_any_time(shared: Terminal) -> None:
    assert "Round 1: you lead. In the Crypt lie" in shared.say("log", "table\\. ")
    shared.say("", PROMPT)
    assert "Cards you have not seen" in shared.say("deck", "table\\. ")
    shared.say("", PROMPT)


def test_save_saves_and_goes_on(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        assert "Saved." in table.say("save", PROMPT)
    assert (tmp_path / "save.json").exists()


def test_the_menu_builds_a_claim_step_by_step_and_shows_its_risk(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        assert "claim cards" in table.say("", r"choice\? ")
        table.say("1", r"Which card\? \(3 dice ready\) ")
        table.say("2", r"How many dice, 1 to 3\? ")
        shown = table.say("2", r"effort, 1 to 6\? ")
        assert re.search(r"4 makes  8 +each die is exhausted 50 % +you keep 1 of 2", shown)
        shown = table.say("4", r"Enter confirms\. \(1 die left\) ")
        assert "2:2x4" in shown
        assert "You keep 1 of 2 dice; all hold 25 % of the time." in shown
        assert "You place 2×4" in table.say("", PROMPT)


def test_an_unfinished_turn_can_be_undone_step_by_step(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        table.say("m", r"choice\? ")
        table.say("1", r"ready\) ")
        table.say("1:1x5", r"left\) ")
        table.say("2", r"How many dice, 1 to 2\? ")
        table.say("1", r"effort, 1 to 6\? ")
        table.say("u", r"How many dice, 1 to 2\? ")
        assert "1:1x5" in table.say("u", r"left\) ")
        assert "Staged" not in table.say("u", r"Which card\? \(3 dice ready\) ")
        table.say("u", r"choice\? ")
        table.say("u", PROMPT)
        table.type("quit")
        table.close()
    assert '"moves":[]' in (tmp_path / "save.json").read_text("utf-8")


def test_an_abandoned_turn_changes_nothing(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        table.say("m", r"choice\? ")
        table.say("1", r"ready\) ")
        table.say("1:1x5 2:1x3", r"left\) ")
        assert "place" not in table.say("x", PROMPT).split("You>")[0].rpartition("Your turn")[0]


def test_the_menu_explains_wrong_input(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "4") as table:
        table.wait_for(PROMPT)
        table.say("m", r"choice\? ")
        assert '"7" is not on the list' in table.say("7", r"choice\? ")
        table.say("1", r"ready\) ")
        assert '"nine" is no card' in table.say("nine", r"ready\) ")
        assert "EvaluationBudget 9 cannot be" in table.say("1:1x9", r"ready\) ")
        table.say("1", r"to 3\? ")
        assert "Choose 1 to 3 dice" in table.say("4", r"to 3\? ")
        table.say("3", r"to 6\? ")
        assert "An effort is 1 to 6" in table.say("0", r"to 6\? ")


def test_another_person_may_only_peek_or_mend_out_of_turn(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--players", "2", "--names", "Ada,Bo", "--seed", "8") as table:
        table.wait_for(r"screen\. ")
        table.say("", PROMPT)
        assert "Out of turn, Bo can only peek or mend" in table.say("bo: recover", PROMPT)
        assert "needs side B of the manuscript" in table.say("2: peek M2", PROMPT)
        assert "flip 2 of your remains cards" in table.say("Bo : mend R1 R2", PROMPT)


def a_save_in_which_bo_owns_a_manuscript(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """It is Ada's turn, a card lies face-down, and Bo may look (R9.1)."""
    monkeypatch.setenv("ROYALCRYPT_DATA", str(folder))
    for seed in range(1000):
        seats = (Seat("Ada"), Seat("Bo"))
        game = Game.new(players=2, collectors="AABAAA", seed=seed, leader=1, seats=seats)
        card = game.view().row[0].card
        if card is not None and card.type == "M":
            game.play("1:3x6")
            game.play("recover")
            game.play("recover")
            write_save(SavedGame(game, bot_seed=1, told=[0, 0]))
            return game
    raise AssertionError


def test_only_the_person_who_peeks_out_of_turn_sees_the_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = a_save_in_which_bo_owns_a_manuscript(tmp_path, monkeypatch)
    with Terminal(tmp_path, "--resume") as table:
        table.wait_for(r"screen\. ")
        assert " seen" not in table.say("", "Ada> ")
        assert "Hand over to Bo" in table.say("bo: peek", r"screen\. ")
        assert re.search(r"\d ●+ seen", table.say("", r"seen enough\. "))
        assert "Hand over to Ada" in table.say("", r"screen\. ")
        screen = table.say("", "Ada> ")
        assert "●+ seen" not in screen
        assert "Bo flips Manuscript" in screen
        assert "Ada places" not in screen
        table.type("quit")
        table.close()
    moves = json.loads((tmp_path / "save.json").read_text("utf-8"))["moves"]
    assert len(moves) == len(game.moves) + 1
    assert moves[-1][0] == 1
