"""Game records, written and read."""

import json
from typing import Any

import pytest

from royalcrypt import Game, Reason, Record, Refusal, Seat
from royalcrypt.notation.events import KINDS, event_dict, parse_event
from tests.golden.player import play_out


def running() -> dict[str, Any]:
    return Game.new(players=2, seed=1).record().to_dict()


def refused_field(record: Any) -> tuple[int, str]:
    with pytest.raises(Refusal) as refused:
        Record.parse(record)
    assert refused.value.reason is Reason.NOT_A_RECORD
    return int(refused.value.details["n"]), str(refused.value.details["field"])


def changed(**fields: Any) -> dict[str, Any]:
    return {**running(), **fields}


def changed_game(**fields: Any) -> dict[str, Any]:
    record = running()
    return {**record, "game": {**record["game"], **fields}}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_record_is_one_line_that_reads_back(players: int) -> None:
    game = play_out(Game.new(players=players, collectors="BABBAB", seed=2), 1)
    game.id, game.created = "x", "2026-11-15T20:00:00Z"
    text = game.record().to_json()
    assert "\n" not in text
    assert text == json.dumps(game.record().to_dict(), separators=(",", ":"), ensure_ascii=False)
    record = Record.parse(text)
    assert record.to_json() == text
    assert (record.id, record.created, record.players) == ("x", "2026-11-15T20:00:00Z", players)
    assert json.loads(text)["game"]["mode"] == ("solo" if players == 1 else "standard")


def test_a_record_without_id_and_time_has_no_such_fields() -> None:
    assert list(running()["game"]) == ["players", "mode", "collectors", "leader", "seats"]


def test_unknown_fields_are_ignored() -> None:
    record = changed_game(weather="fine")
    assert Record.parse({**record, "more": 1}).to_dict() == running()


def test_names_may_be_in_any_script() -> None:
    record = changed_game(seats=[{"name": "Ζωή", "kind": "human"}, {"name": "Łucja", "kind": "human"}])
    parsed = Record.parse(record)
    assert parsed.seats == (Seat("Ζωή"), Seat("Łucja"))
    assert "Ζωή" in parsed.to_json()


@pytest.mark.parametrize("text", ["", "{", "nonsense", "[" * 100_000])
def test_what_is_no_json_is_refused(text: str) -> None:
    assert refused_field(text) == (-1, "JSON")


@pytest.mark.parametrize("found", ["[]", "3", "null", "{}", '{"format": "chess"}'])
def test_another_format_is_refused(found: str) -> None:
    assert refused_field(found) == (-1, "format")


@pytest.mark.parametrize("version", [0, 2, 17])
def test_another_version_is_refused(version: int) -> None:
    with pytest.raises(Refusal) as refused:
        Record.parse(changed(version=version))
    assert refused.value.reason is Reason.WRONG_VERSION
    assert refused.value.details == {"found": version, "needed": 1}


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (changed(version=None), "version"),
        (changed(version=True), "version"),
        (changed(version="1"), "version"),
        (changed(game=None), "game"),
        (changed(game=[]), "game"),
        (changed_game(players=0), "players"),
        (changed_game(players=5), "players"),
        (changed_game(players="2"), "players"),
        (changed_game(players=True), "players"),
        (changed_game(collectors="AAAAA"), "collectors"),
        (changed_game(collectors=None), "collectors"),
        (changed_game(leader=2), "leader"),
        (changed_game(leader=-1), "leader"),
        (changed_game(leader="0"), "leader"),
        (changed_game(mode="solo"), "mode"),
        (changed_game(mode="chess"), "mode"),
        (changed_game(seats=None), "seats"),
        (changed_game(seats=[]), "seats"),
        (changed_game(seats=[1, 2]), "seats"),
        (changed_game(seats=[{"name": "a"}, {"name": "b"}]), "seats"),
        (changed_game(seats=[{"kind": "a"}, {"kind": "b"}]), "seats"),
        (changed_game(seats=[{"name": 1, "kind": "a"}, {"name": "b", "kind": "a"}]), "name"),
        (changed_game(seats=[{"name": "a", "kind": 1}, {"name": "b", "kind": "a"}]), "kind"),
        (changed_game(id=1), "id"),
        (changed_game(created=2026), "created"),
        (changed(events=None), "events"),
        (changed(events={}), "events"),
        (changed(result=[]), "result"),
    ],
)
def test_a_malformed_head_says_which_field(record: dict[str, Any], field: str) -> None:
    assert refused_field(record) == (-1, field)


# Events.


def sound_events() -> list[dict[str, Any]]:
    """At least one of every kind."""
    found: dict[str, dict[str, Any]] = {}
    for players in (1, 2, 3, 4):
        for sides in ("AABBAA", "BABBAA"):
            for seed in range(6):
                game = play_out(Game.new(players=players, collectors=sides, seed=seed), seed)
                found |= {event["type"]: event for event in game.record().to_dict()["events"]}
    found.setdefault("tiebreak", {"n": 0, "type": "tiebreak", "rolled": {"0": [1, 2], "1": []}})
    assert set(found) == set(KINDS)
    return list(found.values())


def test_every_kind_of_event_reads_back() -> None:
    for event in sound_events():
        assert event_dict(parse_event(event, event["n"]), event["n"]) == event


@pytest.mark.parametrize("found", [None, 3, [], {}, {"type": "dance", "n": 0}, {"type": [], "n": 0}])
def test_what_is_no_event_is_refused(found: Any) -> None:
    assert refused_field(changed(events=[found])) == (0, "type")


WRONG: list[Any] = [
    None,
    "x",
    1.5,
    True,
    [None],
    ["x", "x"],
    [[1]],
    {"a": 1},
    {"0": "x"},
    7,
    "I1",
    [1.0],
    ["I9"],
    [{}],
]


def test_every_field_of_every_event_is_checked() -> None:
    """What has another shape is refused by name; what has the right one is read."""
    for event in sound_events():
        for name in set(event) - {"n", "type"}:
            missing = {key: value for key, value in event.items() if key != name}
            if name != "top":
                assert refused(missing) == name
            assert sum(refused({**event, name: wrong}) == name for wrong in WRONG) >= len(WRONG) - 4


def refused(event: dict[str, Any]) -> str | None:
    try:
        parse_event(event, event["n"])
    except Refusal as error:
        return str(error.details["field"])
    return None


@pytest.mark.parametrize("n", [None, 1, -1, "0", False, 0.0])
def test_an_event_out_of_its_place_is_refused(n: Any) -> None:
    record = running()
    record["events"][0]["n"] = n
    assert refused_field(record) == (0, "n")


@pytest.mark.parametrize("seat", ["00", "4", "-1", "x", ""])
def test_seats_are_written_as_json_has_them(seat: str) -> None:
    assert refused({"n": 0, "type": "tiebreak", "rolled": {seat: [1]}}) == "rolled"


def test_a_number_no_game_has_is_refused() -> None:
    assert refused({"n": 0, "type": "rally", "seat": 10**9, "dice": 1}) == "seat"
    assert refused_field('{"n": ' + "9" * 5000 + "}") == (-1, "JSON")
