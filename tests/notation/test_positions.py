"""Positions as one line of text."""

import pytest

from royalcrypt import Game, Reason, Refusal
from royalcrypt.notation.positions import parse_position, position_text
from royalcrypt.rules.layout import dump
from tests.golden.player import Player
from tests.rules.tables import cards, finish, table

LINE = (
    "rc1 players=2 sides=AABABA leader=1 phase=claim round=2 turn=0 order=2 decisions=4 pushed=0 chance=0/0 "
    "top=P race=0 row=-,a2x3,v- seats=1+0p,2+1 cards=I3aJ2bM1x?/P2.T4.R1.?"
)


def with_field(name: str, value: str, line: str = LINE) -> str:
    words = [word if not word.startswith(name + "=") else f"{name}={value}" for word in line.split()]
    assert f"{name}={value}" in words
    return " ".join(words)


def refused_field(text: str) -> str:
    with pytest.raises(Refusal) as refused:
        Game.from_position(text)
    assert refused.value.reason is Reason.NOT_A_POSITION
    assert str(refused.value) == f'This is not a position: look at "{refused.value.details["field"]}".'
    return str(refused.value.details["field"])


def test_the_example_can_be_set_up_and_written_again() -> None:
    assert Game.from_position(LINE).position() == LINE


def test_the_repr_of_a_game_parses_back() -> None:
    game = Game.from_position(LINE)
    assert repr(eval(repr(game), {"Game": Game})) == repr(game)


def test_the_order_of_the_fields_does_not_matter_and_unknown_ones_are_ignored() -> None:
    mark, *words = LINE.split()
    assert Game.from_position(" ".join([mark, *reversed(words), "more=1"])).position() == LINE


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", ["AAAAAA", "BABBAB", "BBBBBB"])
def test_every_position_of_a_game_can_be_set_up_again(players: int, sides: str) -> None:
    game = Game.new(players=players, collectors=sides, seed=5)
    player = Player(players)
    while not game.is_over:
        seat, move = player.next_move(game)
        game.play(move, seat=seat)
        text = game.position()
        again = Game.from_position(text)
        assert again.position() == text
        for viewer in (None, *range(players)):
            assert again.view(viewer).to_dict() == game.view(viewer).to_dict()
        assert again.result() == game.result()


def test_a_position_in_the_idol_window_shows_failed_dice() -> None:
    """R8.1A: cards are taken already, dice still lie where they failed."""
    game = table(row="I4=a2x6 T3 vM2=a1x6", turn=2, luck=(1, 1, 6, 6))
    game.play("recover")
    text = game.position()
    assert "phase=idol" in text
    assert "row=a2x6!2,_,va1x6" in text
    again = Game.from_position(text)
    assert again.position() == text
    assert {str(move) for move in again.view(0).moves()} == {"decline", "reroll 1 I4"}


def test_a_position_remembers_the_order_of_pottery_takes() -> None:
    """R8.4B: two takes of one round against the order of slots."""
    game = table(
        players=4, sides="BAABAA", row="J4 T3 I1 R1 vI2 vI3", phase="pottery", collections=("P1 P2 P3 P4",)
    )
    game.play("take 6 P1 P2")
    game.play("take 5")
    text = game.position()
    assert "I2a!I3a!^1" in text
    assert cards(Game.from_position(text), 0)[-2:] == ["I3", "I2"]
    assert Game.from_position(text).position() == text


def test_a_position_remembers_marks() -> None:
    game = table(sides="BABAAA", collections=("I1! I2! M1",), first_idols=(0,), placed=(0,))
    game.play("peek")
    assert "seats=3+0pkw,3+0 " in game.position()
    assert "race=1" in game.position()


def test_a_finished_game_keeps_its_winners() -> None:
    game = finish(table(collections=("I4", "T1"), last_round=True))
    text = game.position()
    assert text.endswith("winners=1")
    again = Game.from_position(text)
    assert again.is_over
    assert again.result() == game.result()


def test_a_position_has_no_history() -> None:
    with pytest.raises(Refusal) as refused:
        Game.from_position(LINE).record()
    assert refused.value.reason is Reason.NO_HISTORY


def test_with_a_seed_a_position_goes_on_the_same_way_every_time() -> None:
    def after(seed: int | None) -> str:
        game = Game.from_position(LINE, seed=seed)
        for _ in range(4):
            game.play("recover" if game.phase == "claim" else "decline")
        return game.position()

    assert after(3) == after(3)
    assert after(3) != after(4)


def test_parsing_gives_the_very_state_that_was_written() -> None:
    state = Game.from_position(LINE).state
    assert dump(parse_position(position_text(state))) == dump(state)


@pytest.mark.parametrize("text", ["", "   ", "rc2 players=2", "hello"])
def test_a_line_without_the_mark_is_refused(text: str) -> None:
    assert refused_field(text) == "rc1"


@pytest.mark.parametrize(
    "name",
    [
        "players",
        "sides",
        "leader",
        "phase",
        "round",
        "turn",
        "order",
        "decisions",
        "pushed",
        "chance",
        "top",
        "race",
        "row",
        "seats",
        "cards",
    ],
)
def test_a_missing_field_is_named(name: str) -> None:
    assert refused_field(" ".join(word for word in LINE.split() if not word.startswith(name + "="))) == name


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("players", "0", "players"),
        ("players", "5", "players"),
        ("players", "x", "players"),
        ("players", "", "players"),
        ("players", "²", "players"),
        ("players", "00002", "players"),
        ("sides", "AAAAA", "sides"),
        ("sides", "AAAAAC", "sides"),
        ("leader", "2", "leader"),
        ("leader", "-1", "leader"),
        ("phase", "roll", "phase"),
        ("phase", "lunch", "phase"),
        ("phase", "pottery", "phase"),
        ("phase", "remains", "phase"),
        ("phase", "idol", "phase"),
        ("round", "3", "cards"),
        ("round", "x", "round"),
        ("turn", "4", "turn"),
        ("turn", "3", "phase"),
        ("order", "3", "turn"),
        ("decisions", "-", "decisions"),
        ("pushed", "12345", "pushed"),
        ("chance", "0", "chance"),
        ("chance", "/0", "chance"),
        ("chance", "4/0", "chance"),
        ("chance", "01/0", "chance"),
        ("chance", "0/x", "chance"),
        ("chance", "0/123", "chance"),
        ("top", "-", "top"),
        ("top", "X", "top"),
        ("top", "PT", "top"),
        ("top", "", "top"),
        ("race", "2", "race"),
        ("row", "-,v-", "row"),
        ("row", "-,-,-,v-", "row"),
        ("row", "-,a2x7,v-", "row"),
        ("row", "-,a0x1,v-", "row"),
        ("row", "-,c2x3,v-", "row"),
        ("row", "-,a2x3!3,v-", "row"),
        ("row", "-,hello,v-", "row"),
        ("row", "-,a3x3,v-", "seats"),
        ("seats", "1+0p", "seats"),
        ("seats", "1+0p,2+1,3+0", "seats"),
        ("seats", "1+0p,2+2", "seats"),
        ("seats", "1+0p,2", "seats"),
        ("seats", "1+0kp,2+1", "seats"),
        ("cards", "", "cards"),
        ("cards", "I3aJ2bM1x?", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4.R1.?/", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4.", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4.R5.?", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4.I3.?", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4.R1.?2", "cards"),
        ("cards", "I3a?1J2bM1x?/P2.T4.R1.?", "cards"),
        ("cards", "I3a!?0J2bM1x?/P2.T4.R1.?", "cards"),
        ("cards", "I3cJ2bM1x?/P2.T4.R1.?", "cards"),
        ("cards", "I3.J2bM1x?/P2.T4.R1.?", "cards"),
        ("cards", "I3aJ2bM1x?/P2.T4aR1.?", "row"),
        ("cards", "I3aJ2bM1x? P2.T4.R1.?", "cards"),
    ],
)
def test_a_malformed_field_is_named(name: str, value: str, named: str) -> None:
    words = [word if not word.startswith(name + "=") else f"{name}={value}" for word in LINE.split()]
    assert refused_field(" ".join(words)) == named


def test_the_ghost_collects_nothing() -> None:
    """R10.8."""
    line = with_field("players", "1")
    assert refused_field(line) == "cards"


def test_a_type_that_has_run_out_cannot_lie_on_top() -> None:
    line = with_field("cards", "P1aP2bP3x?/P4.T4.R1.?")
    assert refused_field(line) == "top"
    assert Game.from_position(with_field("top", "I", line)).view().top == "I"


def test_with_an_empty_deck_nothing_lies_on_top() -> None:
    line = table(last_round=True).position()
    assert "top=-" in line
    assert refused_field(with_field("top", "I", line)) == "top"


@pytest.mark.parametrize("winners", ["", "2", "x"])
def test_a_finished_game_needs_winners_who_play(winners: str) -> None:
    line = finish(table(collections=("I4", "T1"), last_round=True)).position()
    *words, _ = line.split()
    assert refused_field(" ".join([*words, f"winners={winners}"])) == "winners"
    assert refused_field(" ".join(words)) == "winners"


def test_a_game_with_cards_in_the_deck_is_not_over() -> None:
    assert refused_field(with_field("phase", "over")) == "winners"
