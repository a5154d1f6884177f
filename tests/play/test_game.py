"""Games: new, played, taken back, cloned, watched."""

import pytest

from royalcrypt import Game, IllegalAction, Move, Reason, Seat, View
from royalcrypt.notation.events import Claim, Mend, Peek
from royalcrypt.play.chance import CommittedChance, SeededChance
from royalcrypt.play.knowledge import CardView
from tests.golden.player import Player, play_out
from tests.rules.tables import finish, table, told

BOTH = "AABAAA"


def test_equal_seeds_give_equal_games() -> None:
    one, other = (play_out(Game.new(players=3, collectors="BABBAB", seed=7), 1) for _ in range(2))
    assert one.record().to_json() == other.record().to_json()
    assert (
        one.record().to_json()
        != play_out(Game.new(players=3, collectors="BABBAB", seed=8), 1).record().to_json()
    )


def test_without_a_seed_a_fresh_secret_decides() -> None:
    games = [Game.new(players=4) for _ in range(3)]
    assert all(isinstance(game.chance, CommittedChance) for game in games)
    assert len({game.position() for game in games}) > 1
    assert isinstance(Game.new(seed=1).chance, SeededChance)


def test_seats_have_names() -> None:
    assert Game.new(players=2, seed=1).seats == (Seat("Player 1"), Seat("Player 2"))
    named = (Seat("Ada"), Seat("Bo", "bot:greedy"))
    assert Game.new(players=2, seed=1, seats=named).record().seats == named


def test_a_new_game_waits_for_its_leader() -> None:
    game = Game.new(players=3, collectors="AABBAB", leader=2, seed=7)
    assert (game.players, game.collectors, game.actor, game.phase, game.is_over) == (
        3,
        "AABBAB",
        2,
        "claim",
        False,
    )
    assert game.result() is None


def test_play_returns_what_happened_up_to_the_next_decision() -> None:
    game = table()
    events = game.play("1:1x1")
    assert [event.type for event in events] == ["claim"]
    game.play("recover")
    assert [event.type for event in game.play("recover")] == ["recover", "roll", "collect", "reveal"]
    assert [event.type for event in game.events] == [
        "claim",
        "recover",
        "recover",
        "roll",
        "collect",
        "reveal",
    ]


def test_a_move_may_hold_several_actions() -> None:
    game = table(sides=BOTH, collections=("R1 R2 M1",), exhausted=(1,))
    events = game.play("mend R1 R2; peek; 1:1x2 2:2x1")
    assert [type(event) for event in events] == [Mend, Peek, Claim]
    assert game.actor == 1
    assert game.moves == [(0, Move.parse("mend R1 R2; peek M1; 1:1x2 2:2x1"))]


def test_a_move_out_of_turn_may_hold_several_actions() -> None:
    """R9.1."""
    game = table(sides=BOTH, collections=("", "R1 R2 M1"), exhausted=(0, 1))
    events = game.play("mend; peek", seat=1)
    assert [type(event) for event in events] == [Mend, Peek]
    assert game.actor == 0
    assert game.moves == [(1, Move.parse("mend R1 R2; peek M1"))]


def test_a_move_may_go_from_one_window_into_the_next_decision_of_the_same_seat() -> None:
    game = table(sides="AAABAA", phase="pottery", collections=("P1 P2",))
    game.play("decline; 1:1x1")
    assert game.actor == 1


def test_moves_are_kept_with_the_flips_that_were_made() -> None:
    game = table(sides=BOTH, collections=("M3",))
    game.play("peek")
    assert game.moves == [(0, Move.parse("peek M3"))]


def test_moves_may_be_given_as_text_or_as_moves() -> None:
    one, other = table(), table()
    one.play("1:2x3")
    other.play(Move.parse("1:2x3"))
    assert one.position() == other.position()


# Undo.


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_move_can_be_taken_back_and_made_again_with_the_same_chance(players: int) -> None:
    """RECORD.md, Chance."""
    game = play_out(
        Game.new(players=players, collectors="ABBBAA", chance=CommittedChance(bytes(32), ("a",))), 5
    )
    moves, positions, end = list(game.moves), [game.position()], game.record().to_json()
    for seat, move in reversed(moves[-12:]):
        assert game.undo() == move
        assert game.actor is not None
        positions.append(game.position())
        assert (seat, move) not in game.moves[len(moves) - 1 :]
    for seat, move in moves[-12:]:
        assert game.position() == positions.pop()
        game.play(move, seat=seat)
    assert game.position() == positions.pop()
    assert game.record().to_json() == end


def test_undo_takes_back_the_events_too() -> None:
    game = Game.new(players=2, seed=3)
    before = list(game.events)
    game.play("1:1x6")
    game.undo()
    assert game.events == before
    assert game.moves == []


def test_another_move_after_undo_meets_the_same_cards() -> None:
    """RECORD.md, Chance: nothing decided in between changes an address."""

    def next_row(*moves: str) -> list[str]:
        game = Game.new(players=2, chance=CommittedChance(bytes(32), ("a", "b")))
        for move in moves:
            game.play(move)
        if game.phase == "idol":
            game.play("decline")
        return [str(slot.card) for slot in game.view().row]

    passing, claiming = next_row("recover", "recover", "recover"), next_row("1:3x6", "2:1x4", "recover")
    assert passing == claiming


def test_undo_in_a_position_goes_back_to_it() -> None:
    game = table(collections=("R1 R2",), exhausted=(1,))
    before = game.position()
    game.play("mend", seat=0)
    assert str(game.undo()) == "mend R1 R2"
    assert game.position() == before


def test_a_move_out_of_turn_is_taken_back_for_its_seat() -> None:
    game = table(sides=BOTH, collections=("", "M1"))
    game.play("peek", seat=1)
    game.play("1:1x1")
    game.undo()
    assert game.view(1).seats[1].has_peeked
    game.undo()
    assert not game.view(1).seats[1].has_peeked


# Clones.


def test_a_clone_is_independent() -> None:
    game = Game.new(players=3, seed=1)
    game.play("1:1x1")
    twin = game.clone()
    assert twin.position() == game.position()
    twin.play("2:2x3")
    assert len(twin.moves) == len(twin.events) - 1 == 2
    assert len(game.moves) == len(game.events) - 1 == 1
    assert twin.position() != game.position()
    game.play("2:2x3")
    assert twin.position() == game.position()
    twin.undo()
    twin.undo()
    assert len(game.moves) == 2


def test_the_state_handed_out_is_a_copy() -> None:
    game = table()
    before = game.position()
    game.state.players[0].ready = 0
    assert game.position() == before


# Views, events and records for viewers.


def test_the_end_of_a_game_offers_nothing() -> None:
    game = finish(Game.new(players=2, seed=1))
    assert (game.actor, game.phase, game.is_over) == (None, "over", True)
    view = game.view(0)
    assert (view.actor, view.actions, list(view.moves())) == (None, (), [])
    with pytest.raises(IllegalAction) as refused:
        game.play("recover", seat=0)
    assert refused.value.reason is Reason.GAME_OVER


def test_a_view_is_of_plain_values_and_a_card_prints_as_text() -> None:
    view = table(row="J4=a1x2 T3 vM2", turn=1).view(1)
    assert isinstance(view, View)
    found = view.to_dict()
    assert found["row"][0]["card"]["type"] == "J"
    assert found["row"][2]["card"]["value"] is None
    assert found["form"]["exhaustion"][1] == [1, 6]
    assert found["unseen"]["M"] == [1, 1, 1, 1]
    assert found["scores"] == [2, 3]
    assert "known" not in found
    assert [str(slot.card) for slot in view.row] == ["J4", "T3", "M?"]


def test_events_are_redacted_by_what_the_viewer_knows_now() -> None:
    """R11.1: a hidden card that was flipped since is public."""
    game = table(sides="BAAAAA", row="J4 T3 vI2=a1x1", collections=("I1?",), turn=2)
    events = game.play("recover")
    assert "I2" in str(told(game.events_for(1, events), "collect"))
    game = table(row="J4 T3 vI2=a1x1", turn=2)
    events = game.play("recover")
    assert "I?" in str(told(game.events_for(1, events), "collect"))
    assert "I2" in str(told(game.events_for(0, events), "collect"))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_no_event_tells_a_viewer_more_than_the_view_does(players: int) -> None:
    """R11.6."""
    game = Game.new(players=players, collectors="BABBAB", seed=11)
    player = Player(3)
    for _ in range(12):
        seat, move = player.next_move(game)
        game.play(move, seat=seat)
        for viewer in (None, *range(players)):
            hidden = {card.number for card in _cards(game.view(viewer)) if card.value is None}
            for event, truth in zip(game.events_for(viewer), game.events, strict=True):
                for name in ("row", "flip", "cards"):
                    seen, true = getattr(event, name, ()), getattr(truth, name, ())
                    assert [card.number for card in seen] == [card.number for card in true]
                    assert all((card.value == 0) == (card.number in hidden) for card in seen)


def _cards(view: View) -> list[CardView]:
    found = [slot.card for slot in view.row if slot.card] + list(view.discards)
    return [*found, *(card for seat in view.seats for card in seat.cards)]


def test_the_record_for_a_viewer_holds_no_secret() -> None:
    game = Game.new(players=2, chance=CommittedChance(bytes(32), ("a", "b")))
    save = game.record().to_dict()
    assert save["secret"] == "00" * 32
    assert save["moves"] == []
    for viewer in (None, 0, 1):
        record = game.record_for(viewer).to_dict()
        assert "secret" not in record
        assert "moves" not in record
        assert set(record["fairness"]) == {"commitment", "entropy"}
        assert record["viewer"] == ("spectator" if viewer is None else viewer)
        assert record["events"][0]["row"][2][1] == "?"
    seeded = Game.new(players=2, seed=3)
    assert "chance" in seeded.record().to_dict()
    assert "chance" not in seeded.record_for(1).to_dict()


def test_once_the_game_is_over_everybody_may_have_the_whole_record() -> None:
    game = finish(Game.new(players=2, chance=CommittedChance(bytes(32), ("a", "b"))))
    record = game.record_for(None).to_dict()
    assert record == game.record().to_dict()
    assert record["fairness"]["seed"] == "00" * 32
    assert "secret" not in record
    assert "?" not in str(record["events"])
