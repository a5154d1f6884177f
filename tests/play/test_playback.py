"""A finished game looked at again: at each moment what a viewer knew then, or everything."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from royalcrypt import Game, Reason, Record, Refusal
from royalcrypt.play.chance import CommittedChance
from royalcrypt.play.playback import Playback, Viewer
from tests.golden.player import play_out

SIDES = ["AAAAAA", "BBBBBB", "BABBAB", "ABBBAA"]
COPIES = {1: (1, 1, 1, 1), 2: (1, 1, 1, 1), 3: (1, 2, 2, 1), 4: (2, 2, 2, 2)}
"""By players, how many cards of each value a type has (R2.1)."""

games = pytest.mark.parametrize(
    ("players", "sides"), [(players, sides) for players in (1, 2, 3, 4) for sides in SIDES]
)


def finished(players: int, sides: str) -> Game:
    entropy = tuple("abcd"[:players])
    chance = CommittedChance(bytes([players]) * 32, entropy)
    return play_out(Game.new(players=players, collectors=sides, chance=chance), SIDES.index(sides))


def viewers(players: int) -> list[Viewer]:
    return [*range(players), "spectator", "all"]


def told(film: Playback, viewer: Viewer) -> Iterator[tuple[int, list[dict[str, Any]], dict[str, Any]]]:
    for frame in film.frames(viewer):
        yield frame.move, json.loads(frame.events), json.loads(frame.view)


@games
def test_after_each_move_a_film_shows_what_the_table_showed(players: int, sides: str) -> None:
    game = finished(players, sides)
    film = Playback(game.record())
    for viewer in [*range(players), None]:
        frames = {frame.move: frame.view for frame in film.frames("spectator" if viewer is None else viewer)}
        again = Game.new(players=players, collectors=sides, chance=game.chance)
        assert frames[0] == again.view(viewer).to_json()
        for seat, move in game.moves:
            number = len(again.moves) + 1
            if again.play(move, seat=seat) and not again.is_over:
                assert frames[number] == again.view(viewer).to_json(), number
        over = again.view(viewer).to_dict()
        for card in cards_in(over):
            card["is_public"] = True  # by then
        assert json.loads(frames[len(game.moves)]) == over


@games
def test_a_film_tells_each_event_once_and_as_its_viewer_was_told(players: int, sides: str) -> None:
    game = finished(players, sides)
    film = Playback(game.record())
    again = Game.new(players=players, collectors=sides, chance=game.chance)
    heard: dict[int | None, list[dict[str, Any]]] = {
        viewer: json.loads(again.news(0).for_viewer(viewer)) for viewer in [*range(players), None]
    }
    for seat, move in game.moves[:-1]:
        since = len(again.events)
        again.play(move, seat=seat)
        for viewer in heard:
            heard[viewer] += json.loads(again.news(since).for_viewer(viewer))
    for viewer, events in heard.items():
        eyes: Viewer = "spectator" if viewer is None else viewer
        found = [event for _, some, _ in told(film, eyes) for event in some]
        assert all(map(is_told_alike, found, events))
        assert [event["n"] for event in found] == list(range(len(game.events)))


def is_told_alike(found: dict[str, Any], heard: dict[str, Any]) -> bool:
    """A table tells a whole move at once: of a card that is flipped at its end it hides nothing before."""
    if found == heard:
        return True
    pairs = zip(found.pop("cards"), heard.pop("cards"), strict=True)
    return found == heard and all(one == other or one == f"{other[0]}?" for one, other in pairs)


@games
def test_who_sees_everything_is_told_the_whole_record_and_never_wonders(players: int, sides: str) -> None:
    record = finished(players, sides).record()
    frames = list(told(Playback(record), "all"))
    assert [event for _, events, _ in frames for event in events] == record.to_dict()["events"]
    for _, _, view in frames:
        assert view["seat"] is None
        assert view["actions"] == []
        assert all(card["value"] is not None for card in cards_in(view))
    assert frames[-1][2]["scores"] == (record.result or {})["scores"]


def cards_in(view: dict[str, Any]) -> list[dict[str, Any]]:
    row = [slot["card"] for slot in view["row"] if slot["card"] is not None]
    return [*row, *(card for seat in view["seats"] for card in seat["cards"]), *view["discards"]]


@games
def test_at_each_moment_a_seat_believes_what_it_can_count(players: int, sides: str) -> None:
    """R11.5, counted here from nothing but the cards in sight."""
    film = Playback(finished(players, sides).record())
    for viewer in viewers(players):
        for _, _, view in told(film, viewer):
            seen = Counter((card["type"], card["value"]) for card in cards_in(view))
            for card in cards_in(view):
                if card["value"] is None:
                    counts = [
                        copies - seen[card["type"], value] for value, copies in enumerate(COPIES[players], 1)
                    ]
                    assert card["odds"] == counts


@games
def test_hardly_two_events_share_a_moment(players: int, sides: str) -> None:
    """Only dice that need no roll, and Idols that a take brings together, are told with what comes next."""
    for _, events, _ in told(Playback(finished(players, sides).record()), "all"):
        assert len(events) == 1 or events[0]["type"] in ("roll", "rally", "take")


def test_a_film_follows_what_the_record_tells_whatever_its_secret_would_bring() -> None:
    record = finished(2, "AAAAAA").record().to_dict()
    record["fairness"]["seed"] = "00" * 32
    last = list(told(Playback(Record.parse(record)), "all"))[-1][2]
    assert last["scores"] == record["result"]["scores"]


def test_a_seat_that_is_not_there_has_seen_nothing() -> None:
    film = Playback(finished(2, "AAAAAA").record())
    for seat in (-1, 2):
        with pytest.raises(Refusal) as refused:
            list(film.frames(seat))
        assert refused.value.reason is Reason.WRONG_SEAT


def test_no_film_is_made_of_what_one_viewer_knew() -> None:
    with pytest.raises(Refusal) as refused:
        Playback(Game.new(seed=1).record_for(0))
    assert refused.value.reason is Reason.VIEWERS_RECORD
