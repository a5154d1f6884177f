"""What if? Another line from a moment of a finished game, and what its seat is told of it."""

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from royalcrypt import Game, Reason, Record, Refusal
from royalcrypt.bots import Budget, bot_named
from royalcrypt.notation.events import Event, Reveal, event_dict
from royalcrypt.notation.moves import Move
from royalcrypt.play.playback import Playback, Variation
from tests.e2e.knowledge import leaks
from tests.golden.games import GAMES

by_players = pytest.mark.parametrize("golden", GAMES, ids=lambda game: f"{game.players} players")


def recorded(golden: Any) -> Record:
    return Record.parse(golden.path.read_text("utf-8"))


def sealed(record: Record) -> Record:
    """Without what its cards and dice were drawn with."""
    fairness = {name: value for name, value in record.extra["fairness"].items() if name != "seed"}
    return replace(record, extra=record.extra | {"fairness": fairness})


def wander(variation: Variation, seed: int, most: int = 1000) -> Variation:
    chance = random.Random(seed)
    for _ in range(most):
        if variation.game.is_over:
            break
        view = variation.game.view(variation.game.actor)
        variation.game.play(bot_named("random").choose(view, Budget(seed=chance.randrange(1 << 30))))
    return variation


def told(variation: Variation, seat: int, since: int = 0) -> list[tuple[int, Any, Any]]:
    frames = variation.frames(seat, since)
    return [(frame.move, json.loads(frame.events), json.loads(frame.view)) for frame in frames]


def rows_in(events: Iterable[Event]) -> list[list[str]]:
    """Of each round; alone their order depends on the Ghost's dice (R10.3)."""
    return [sorted(map(str, event.row)) for event in events if isinstance(event, Reveal)]


@by_players
@pytest.mark.parametrize("is_sealed", [False, True], ids=["open", "sealed"])
def test_whoever_does_what_was_done_meets_what_was_met(golden: Any, is_sealed: bool) -> None:
    record = recorded(golden)
    record = sealed(record) if is_sealed else record
    moves = Game.from_record(record).moves
    for moment in (0, len(moves) // 2, len(moves) - 1):
        variation = Variation(record, moment, seed=1)
        for seat, move in moves[moment:]:
            variation.game.play(move, seat=seat)
        assert variation.game.events == list(record.events)
        assert variation.line == moves[moment:]
        seen = [(frame.move, frame.events, frame.view) for frame in variation.frames(0)]
        assert seen == [(frame.move, frame.events, frame.view) for frame in Playback(record).frames(0)]


@by_players
@pytest.mark.parametrize("is_new", [False, True], ids=["as it was", "new dice"])
def test_equal_lines_meet_equal_chance_and_what_was_before_the_moment_stays(
    golden: Any, is_new: bool
) -> None:
    record = sealed(recorded(golden))
    moment = len(Game.from_record(record).moves) // 3
    before = len(Variation(record, moment, seed=5).game.events)
    lines = [wander(Variation(record, moment, seed=5, is_new=is_new), seed=2) for _ in range(2)]
    assert lines[0].game.events == lines[1].game.events
    assert lines[0].game.events[:before] == list(record.events[:before])
    assert [event["n"] for _, events, _ in told(lines[0], 0) for event in events] == list(
        range(len(lines[0].game.events))
    )


@by_players
def test_cards_come_as_they_came_unless_they_are_to_be_new(golden: Any) -> None:
    record = sealed(recorded(golden))
    rows = rows_in(record.events)
    same, new = (
        rows_in(wander(Variation(record, 0, seed=5, is_new=is_new), seed=3).game.events)
        for is_new in (False, True)
    )
    assert same == rows
    assert new[0] == rows[0]
    assert new[1:] != rows[1:]


@by_players
@pytest.mark.parametrize("is_new", [False, True], ids=["as it was", "new dice"])
def test_a_seat_is_told_no_card_that_it_could_not_know(golden: Any, is_new: bool) -> None:
    record = recorded(golden)
    moves = len(Game.from_record(record).moves)
    for seat in range(record.players):
        variation = wander(Variation(record, moves // 2, seed=4, is_new=is_new), seat, most=moves // 3)
        truth = {
            "events": [event_dict(event, n) for n, event in enumerate(variation.game.events)],
            "fairness": record.extra["fairness"],
        }
        heard = [
            json.dumps({"table": "it", "you": {"seat": seat}, "events": events, "view": view})
            for _, events, view in told(variation, seat)
        ]
        assert "?" in heard[0]
        assert list(leaks(truth, heard, "it")) == []


def test_what_is_told_later_begins_where_the_asker_left_off() -> None:
    variation = wander(Variation(recorded(GAMES[1]), 4, seed=1), seed=1, most=6)
    whole = told(variation, 1)
    middle = whole[len(whole) // 2][1][0]["n"]
    assert told(variation, 1, since=middle) == whole[len(whole) // 2 :]


def test_no_line_leads_on_from_the_end_nor_from_a_game_that_runs() -> None:
    record = recorded(GAMES[1])
    with pytest.raises(Refusal) as caught:
        Variation(record, len(Game.from_record(record).moves), seed=0)
    assert caught.value.reason is Reason.GAME_OVER
    with pytest.raises(Refusal) as caught:
        Variation(Game.new(players=2, seed=1).record(), 0, seed=0)
    assert caught.value.reason is Reason.NOT_OVER


def test_an_illegal_move_is_refused_and_the_line_stays_as_it_was() -> None:
    variation = Variation(recorded(GAMES[1]), 3, seed=0)
    with pytest.raises(Refusal):
        variation.game.play(Move.parse("1:3x7"))
    assert variation.line == []
