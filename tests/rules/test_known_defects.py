"""Defects that an online version of the game is known to have had: none of them here."""

import pytest

from royalcrypt import Game, IllegalAction, Reason
from royalcrypt.notation.events import Idols, Tiebreak
from tests.rules.tables import Luck, cards, finish, table, told, treasures


def test_nobody_can_flip_somebody_elses_card() -> None:
    """R8: "your own, still unflipped cards"."""
    game = table(sides="AABAAA", collections=("M1", "M3"))
    before = game.position()
    with pytest.raises(IllegalAction) as refused:
        game.play("peek M3")
    assert refused.value.reason is Reason.CANNOT_FLIP
    assert refused.value.details == {"card": "M3", "cards": "M1"}
    assert game.position() == before


@pytest.mark.parametrize(
    ("move", "collections"),
    [("mend R1 R3", ("R1 R2", "R3")), ("mend R3 R4", ("R1 R2", "R3 R4"))],
)
def test_nobody_can_mend_with_somebody_elses_remains(move: str, collections: tuple[str, ...]) -> None:
    """R8.5A."""
    game = table(collections=collections, exhausted=(1,))
    with pytest.raises(IllegalAction) as refused:
        game.play(move)
    assert refused.value.reason is Reason.CANNOT_FLIP
    assert not any(card.is_flipped for seat in game.view().seats for card in seat.cards)


def test_a_flip_of_an_equal_card_flips_ones_own() -> None:
    """R8: with four players both may own an M2."""
    game = table(players=4, sides="AABAAA", collections=("M2", "M2"))
    game.play("peek M2", seat=1)
    assert [card.is_flipped for seat in game.view().seats for card in seat.cards] == [False, True]


@pytest.mark.parametrize("effort", [0, 7, 12, 99, 999])
def test_an_effort_outside_1_to_6_is_refused(effort: int) -> None:
    """R5.3."""
    game = table()
    before = game.position()
    with pytest.raises(IllegalAction) as refused:
        game.play(f"1:1x{effort}")
    assert refused.value.reason is Reason.WRONG_EFFORT
    assert game.position() == before


def test_who_was_beaten_in_a_three_way_tie_cannot_win_the_next_roll() -> None:
    """R7.3: seat 1 is out; the luck that would have been theirs is never asked for."""
    game = table(
        players=3, sides="ABBBAB", collections=("I1", "T1", "P1"), last_round=True,
        luck=(6, 6, 6, 1, 1, 1, 6, 6, 6, 1, 1, 1, 2, 2, 2, 6, 6, 6),
    )  # fmt: skip
    finish(game)
    second = told(game.events, "tiebreak")[1]
    assert isinstance(second, Tiebreak)
    assert sorted(second.rolled) == [0, 2]
    result = game.result()
    assert result is not None
    assert result["winners"] == [2]
    assert isinstance(game.chance, Luck)
    assert game.chance.faces == [6, 6, 6]


def test_hidden_values_stay_hidden_from_others_after_a_peek() -> None:
    """R11.2."""
    game = table(sides="AABAAA", row="J4 T3 vP2", collections=("M1",))
    before = {viewer: game.view(viewer).row[2] for viewer in (None, 1)}
    events = game.play("peek")
    for viewer in (None, 1):
        assert game.view(viewer).row[2] == before[viewer]
        assert "P2" not in str(game.events_for(viewer, events))


def test_hidden_values_stay_hidden_after_a_peek_and_a_reload() -> None:
    """R11.2: in exported records, and in the views of the game loaded from a save."""
    sides = "AABAAA"
    game = Game.new(players=2, collectors=sides, chance=Luck("M1", "J1", "T2", "P", "P1", "P2", "R3", "I"))
    game.play("1:1x1")
    game.play("recover")
    game.play("recover")
    game.play("peek M1", seat=0)
    assert str(game.view(0).row[2].card) == "R3"
    for viewer in (None, 1):
        assert "R3" not in game.record_for(viewer).to_json()
        assert "T2" not in game.record_for(viewer).to_json()
    assert "R3" in game.record_for(0).to_json()
    loaded = Game.from_record(game.record().to_json())
    for viewer in (None, 0, 1):
        assert loaded.view(viewer).to_dict() == game.view(viewer).to_dict()
        assert loaded.record_for(viewer).to_dict()["events"] == game.record_for(viewer).to_dict()["events"]


def test_the_idol_bonus_is_decided_when_it_is_won_and_not_recomputed_at_the_end() -> None:
    """R8.1B: seat 0 was first; that seat 1 later owns more, and all cards are turned, changes nothing."""
    game = table(
        sides="BBBBAB",
        collections=("I1! I2!", "I4"),
        row="I3=b1x1 T3 vM2",
        first_idols=(0,),
        turn=2,
        last_round=True,
    )
    events = game.play("recover")
    assert told(events, "idols") == []
    result = finish(game).result()
    assert result is not None
    assert [breakdown["collectors"]["idol"] for breakdown in result["breakdown"]] == [5, 2]


def test_with_all_idols_flipped_the_winner_of_the_race_keeps_the_bonus() -> None:
    """R8.1B: the race itself flips them."""
    game = table(sides="BBBBAB", collections=("I1 I2?", "J4 J3"), turn=2, last_round=True)
    events = game.play("recover")
    assert told(events, "idols") == [Idols({0: treasures("I1", "I2")})]
    assert cards(game, 0, viewer=1) == ["I1", "I2"]
    result = game.result()
    assert result is not None
    assert result["breakdown"][0]["collectors"]["idol"] == 5
