"""From a record back to a game."""

import json
from typing import Any

import pytest

from royalcrypt import Game, Reason, Record, Refusal
from royalcrypt.play.chance import CommittedChance, RecordedChance, SeededChance
from royalcrypt.play.replay import BrokenRecord
from tests.golden.player import Player, play_out
from tests.oracle.referee import recompute, referee

SIDES = ["AAAAAA", "BBBBBB", "BABBAB", "ABBBAA"]


def committed(players: int, sides: str = "BABBAB") -> Game:
    entropy = tuple("abcd"[:players])
    return Game.new(players=players, collectors=sides, chance=CommittedChance(bytes(32), entropy))


def some_moves(game: Game, count: int) -> Game:
    player = Player(2)
    for _ in range(count):
        seat, move = player.next_move(game)
        game.play(move, seat=seat)
    return game


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", SIDES)
def test_a_finished_record_is_read_and_written_again(players: int, sides: str) -> None:
    game = play_out(committed(players, sides), players)
    text = game.record().to_json()
    again = Game.from_record(text)
    assert again.record().to_json() == text
    assert again.result() == game.result()
    assert again.moves[-1][0] in range(players)
    referee(json.loads(text))
    recompute(json.loads(text))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", SIDES)
def test_a_record_without_its_chance_and_tops_is_read_too(players: int, sides: str) -> None:
    """RECORD.md asks for neither: the next row's first card tells the top."""
    game = play_out(committed(players, sides), players + 4)
    record = game.record().to_dict()
    del record["fairness"]
    for event in record["events"]:
        event.pop("top", None)
        event["at"] = "unknown fields are ignored"
    again = Game.from_record(record)
    assert again.result() == game.result()
    assert isinstance(again.chance, RecordedChance)
    assert [event.type for event in again.events] == [event.type for event in game.events]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("count", [0, 1, 7, 13])
def test_a_save_goes_on_with_the_chance_it_was_saved_with(players: int, count: int) -> None:
    game = some_moves(committed(players), count)
    game.id, game.created = "g1", "2026-11-15T20:00:00Z"
    again = Game.from_record(game.record().to_json())
    assert again.position() == game.position()
    assert (again.id, again.created, again.moves) == (game.id, game.created, game.moves)
    for one in (game, again):
        play_out(one, 9)
    assert again.record().to_json() == game.record().to_json()


def test_a_seeded_save_goes_on_too() -> None:
    game = some_moves(Game.new(players=3, chance=SeededChance(5, 2)), 5)
    again = Game.from_record(game.record())
    assert again.chance == SeededChance(5, 2)
    assert play_out(again, 1).record().to_json() == play_out(game, 1).record().to_json()


def test_a_loaded_game_can_be_taken_back() -> None:
    game = some_moves(committed(2), 6)
    again = Game.from_record(game.record())
    assert again.undo() == game.undo()
    assert again.position() == game.position()


def test_a_running_record_without_moves_is_played_by_its_events() -> None:
    game = some_moves(committed(3), 8)
    record = game.record().to_dict()
    del record["moves"]
    assert Game.from_record(record).view(0).to_dict()["row"] == game.view(0).to_dict()["row"]


def test_flips_and_ghost_groups_may_be_told_in_any_order() -> None:
    """RECORD.md gives them none."""
    for players, sides in ((1, "AAAAAA"), (4, "BBBBAB")):
        for seed in range(6):
            record = play_out(committed(players, sides), seed).record().to_dict()
            for event in record["events"]:
                if event["type"] in ("take", "mend", "peek"):
                    event["flip"].reverse()
                if event["type"] == "ghost":
                    event["place"].reverse()
                if event["type"] == "idols":
                    event["flips"] = {seat: cards[::-1] for seat, cards in event["flips"].items()}
            Game.from_record(record)
            referee(record)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_viewers_record_can_be_read_but_not_played(viewer: int | None) -> None:
    text = some_moves(committed(2), 5).record_for(viewer).to_json()
    assert Record.parse(text).to_json() == text
    with pytest.raises(Refusal) as refused:
        Game.from_record(text)
    assert refused.value.reason is Reason.VIEWERS_RECORD


def test_only_a_viewers_record_may_hide_values() -> None:
    record = committed(2).record_for(0).to_dict()
    del record["viewer"]
    refused = broken(record)
    assert refused.reason is Reason.HIDDEN_VALUE
    assert refused.details == {"n": 0}
    assert str(refused) == "Event 0 hides a value, which only the record of a viewer may do."


# What breaks a record.


def broken(record: dict[str, Any]) -> BrokenRecord:
    with pytest.raises(BrokenRecord) as refused:
        Game.from_record(record)
    return refused.value


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_missing_or_doubled_event_is_noticed(players: int) -> None:
    sound = play_out(committed(players), 3).record().to_dict()
    kept = [
        event["n"] for event in sound["events"] if event["type"] != "peek"
    ]  # without a peek it is a game too
    for n in kept[::3]:
        for events in (
            sound["events"][:n] + sound["events"][n + 1 :],
            sound["events"][: n + 1] + sound["events"][n:],
        ):
            broken({**sound, "events": [{**event, "n": k} for k, event in enumerate(events)]})


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_changed_card_or_number_is_noticed_where_it_stands(players: int) -> None:
    sound = play_out(committed(players, "ABABAA"), 4).record().to_dict()
    for n, event in enumerate(sound["events"]):
        for name in set(event) & {"seat", "dice", "effort", "last", "leader", "round"}:
            wrong = not event[name] if name == "last" else event[name] + 1
            events = [{**event, name: wrong} if k == n else other for k, other in enumerate(sound["events"])]
            found = broken({**sound, "events": events})
            assert int(found.details["n"]) <= n


def test_an_impossible_first_row_breaks_the_record_at_once() -> None:
    record = committed(2).record().to_dict()
    record["events"][0]["row"] = ["I1", "I1", "I1"]
    found = broken(record)
    assert found.reason is Reason.BROKEN_RULE
    assert found.details["n"] == 0
    assert "Chance cannot have brought this: card 2 of round 1." in str(found)


def test_an_impossible_later_row_breaks_the_record_where_it_was_drawn() -> None:
    record = play_out(committed(2), 1).record().to_dict()
    del record["fairness"]
    later = [event for event in record["events"] if event["type"] == "reveal"][1]
    later["row"][1] = record["events"][0]["row"][1]
    found = broken(record)
    assert found.reason is Reason.BROKEN_RULE
    assert int(found.details["n"]) < later["n"]


def test_a_record_without_events_breaks_where_the_first_should_be() -> None:
    record = committed(2).record().to_dict()
    del record["moves"]
    record["events"] = []
    assert broken(record).details["n"] == 0


def test_a_row_without_cards_is_noticed() -> None:
    record = play_out(committed(2), 1).record().to_dict()
    del record["fairness"]
    for event in record["events"]:
        if event["type"] == "reveal":
            event["row"] = []
            event["top"] = None
    assert broken(record).details["n"] == 0


@pytest.mark.parametrize(
    "event",
    [
        {"type": "claim", "seat": 0, "place": [], "last": False},
        {"type": "mend", "seat": 0, "flip": ["R1"]},
        {"type": "mend", "seat": 0, "flip": []},
        {"type": "peek", "seat": 7, "flip": ["M1"]},
        {"type": "take", "seat": 0, "slot": 2, "flip": ["P1", "P2"]},
        {"type": "reroll", "seat": 0, "slot": 2, "effort": 2, "flip": ["I1"], "rolled": 3},
        {"type": "collect", "seat": 0, "cards": []},
        {"type": "idols", "flips": {}},
        {"type": "end", "scores": [3, 3], "winners": [0]},
        {"type": "recover", "seat": -1, "dice": 0},
    ],
)
def test_a_move_that_cannot_be_made_breaks_the_record(event: dict[str, Any]) -> None:
    record = committed(2).record().to_dict()
    del record["moves"]
    record["events"].append({"n": 1, **event})
    found = broken(record)
    assert found.reason is Reason.BROKEN_RULE
    assert found.details["n"] == 1


@pytest.mark.parametrize(
    "moves", [5, [1], [[0]], [[0, None]], [[0, 1]], [["x", "recover"]], [[0, "dance"]], [[1, "recover"]]]
)
def test_saved_moves_that_cannot_be_made_break_the_record(moves: Any) -> None:
    record = committed(2).record().to_dict()
    found = broken({**record, "moves": moves})
    assert found.reason is Reason.BROKEN_RULE


def test_saved_moves_must_agree_with_the_events() -> None:
    record = some_moves(committed(2), 4).record().to_dict()
    assert broken({**record, "moves": record["moves"][:-1]}).reason is Reason.SUPERFLUOUS_EVENT
    assert broken({**record, "events": record["events"][:-1]}).reason is Reason.MISSING_EVENT


@pytest.mark.parametrize(
    "extra",
    [
        {"chance": {}},
        {"chance": 3},
        {"chance": {"seed": "x", "game": 0}},
        {"chance": {"seed": 1, "game": 0.5}},
        {"fairness": None},
        {"fairness": []},
        {"fairness": {"seed": "xyz"}},
        {"fairness": {"seed": 12}},
        {"fairness": {"seed": "00", "entropy": 3}},
        {"fairness": {"seed": "00", "entropy": [3]}},
        {"fairness": {"seed": "00", "entropy": ["é"]}},
        {"secret": 7},
    ],
)
def test_chance_that_cannot_be_read_is_refused(extra: dict[str, Any]) -> None:
    record = committed(2).record().to_dict()
    del record["secret"], record["fairness"]
    with pytest.raises(Refusal) as refused:
        Game.from_record({**record, **extra})
    assert refused.value.reason is Reason.NOT_A_RECORD
    assert refused.value.details == {"n": -1, "field": "fairness"}
