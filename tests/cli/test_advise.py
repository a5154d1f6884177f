"""``royalcrypt advise`` reads positions, records and saves, and never uses hidden information."""

import io
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from royalcrypt import Game
from royalcrypt.cli import main
from royalcrypt.lab import backends
from royalcrypt.locales import say

Capture = pytest.CaptureFixture[str]


def played(players: int, moves: int, seed: int = 4) -> Game:
    game = Game.new(players=players, seed=seed, collectors="ABABAB")
    chance = random.Random(seed)
    while game.actor is not None and len(game.moves) < moves:
        game.play(chance.choice(list(game.view(game.actor).moves())))
    return game


def answer(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main(["advise", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(["advise", *arguments]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.startswith("royalcrypt: ")
    assert found.err.count("\n") == 1
    return found.err


def test_a_position_is_answered_with_chances_and_moves(capsys: Capture) -> None:
    game = played(3, 7)
    assert main(["advise", game.position(), "--count", "2"]) == 0
    out = capsys.readouterr().out
    assert "Player 3" in out
    assert "%" in out
    found = answer(capsys, game.position(), "--count", "2")
    assert found["seat"] == found["actor"] == game.actor
    assert sum(found["wins"]) == pytest.approx(1)
    assert len(found["moves"]) == 2
    assert found["moves"][0]["behind"] == 0
    assert all(move["reasons"][0]["words"] for move in found["moves"])
    for move in found["moves"]:
        game.tried(move["move"])


def test_solo_advice_has_a_score_and_no_rival(capsys: Capture) -> None:
    position = played(1, 3).position()
    assert main(["advise", position]) == 0
    assert say("term.rank.3") in capsys.readouterr().out
    found = answer(capsys, position)
    assert found["wins"] == []
    assert len(found["scores"]) == 1


def test_a_position_may_come_unquoted_in_a_file_or_from_the_input(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = played(2, 5).position()
    expected = answer(capsys, position)
    file = tmp_path / "position"
    file.write_text(position + "\n", "utf-8")
    assert answer(capsys, *position.split()) == expected
    assert answer(capsys, str(file)) == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(position.encode())))
    assert answer(capsys, "-") == expected


def test_a_record_is_opened_after_any_of_its_moves(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(played(2, 500).record().to_json(), "utf-8")
    assert answer(capsys, str(file), "--at", "6")["moves"] == answer(capsys, played(2, 6).position())["moves"]
    over = answer(capsys, str(file))
    assert over["actor"] is None
    assert over["exact"]
    assert over["moves"] == []
    assert "500" in refusal(capsys, str(file), "--at", "500")


def test_a_save_goes_on_where_it_was_left(capsys: Capture, tmp_path: Path) -> None:
    game = played(2, 6)
    file = tmp_path / "save.json"
    file.write_text(game.record().to_json(), "utf-8")
    assert answer(capsys, str(file)) == answer(capsys, game.position())


def test_a_seat_out_of_turn_gets_an_evaluation_without_moves(capsys: Capture) -> None:
    game = played(3, 7)
    other = ((game.actor or 0) + 1) % 3
    found = answer(capsys, game.position(), "--seat", str(other + 1))
    assert found["seat"] == other
    assert found["moves"] == []
    assert main(["advise", game.position(), "--seat", str(other + 1)]) == 0
    assert say("advice.viewer", who=f"Player {other + 1}") in capsys.readouterr().out


@pytest.mark.parametrize(("language", "player"), [("pl", "Gracz 1"), ("fr", "Joueur 1"), ("el", "Παίκτης 1")])
def test_the_answer_is_in_the_requested_language(language: str, player: str, capsys: Capture) -> None:
    assert main(["advise", played(2, 4).position(), "--language", language]) == 0
    assert player in capsys.readouterr().out


def test_what_is_hidden_does_not_change_the_answer(capsys: Capture) -> None:
    start = (
        "rc1 players=2 sides=AABAAA leader=0 phase=claim round=2 turn=0 order=2 decisions=4 pushed=0 "
        "chance=0/0 top=I race=0 row=-,-,v- seats=3+0,3+0 cards=P1aJ2bJ{held}b?1/P3.M1.T{down}.?"
    )
    answers = [answer(capsys, start.format(held=held, down=down)) for held, down in ((1, 2), (3, 4), (4, 1))]
    assert answers[0] == answers[1] == answers[2]


def test_bad_input_is_refused_in_one_sentence(capsys: Capture, tmp_path: Path) -> None:
    position = played(2, 4).position()
    assert "players" in refusal(capsys, position.replace("players=2", "players=7"))
    assert "nowhere" in refusal(capsys, str(tmp_path / "nowhere"))
    assert "--count" in refusal(capsys, position, "--count", "0")
    assert "--seat" in refusal(capsys, position, "--seat", "3")
    assert "--language" in refusal(capsys, position, "--language", "xx")
    assert "--at" in refusal(capsys, position, "--at", "3")
    broken = tmp_path / "broken"
    broken.write_bytes(b"\xff\xfe")
    assert "broken" in refusal(capsys, str(broken))
    for text in ("", "{", '{"format": "other"}', "[" * 5000, "{" * 9000, "rc1"):
        broken.write_text(text, "utf-8")
        refusal(capsys, str(broken))
    refusal(capsys, "")
    refusal(capsys, "\0")


def test_without_a_compiler_it_says_what_to_install(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "can_compile", lambda: False)
    assert "royalcrypt[fast]" in refusal(capsys, played(2, 4).position())
