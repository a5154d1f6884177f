"""The watch over pages: it cries when something leaks, and only then."""

import json
from typing import Any

from tests.e2e.knowledge import leaks

REVEAL = {"n": 0, "type": "reveal", "round": 1, "leader": 0, "row": ["P4", "T3", "I1"], "down": [2]}
ROLL = {"n": 1, "type": "roll", "seat": 1, "slot": 2, "rolled": [5]}
COLLECT = {"n": 2, "type": "collect", "seat": 1, "cards": ["I1"]}
REROLL = {"n": 3, "type": "reroll", "seat": 1, "flip": ["I1"], "rolled": 4}


def told_to_the_other_seat(*events: dict[str, Any], happened: list[dict[str, Any]]) -> list[str]:
    truth: dict[str, Any] = {"events": happened, "fairness": {}}
    message = {"table": "t", "you": {"seat": 0}, "events": events}
    return list(leaks(truth, [json.dumps(message)], "t"))


def test_a_card_that_was_flipped_may_be_named_where_it_lay_before() -> None:
    happened = [REVEAL, ROLL, COLLECT, REROLL]
    assert told_to_the_other_seat(*happened, happened=happened) == []


def test_a_card_that_was_collected_face_down_may_not() -> None:
    happened = [REVEAL, ROLL, COLLECT]
    assert len(told_to_the_other_seat(*happened, happened=happened)) == 2


def test_neither_may_a_card_that_lies_face_down() -> None:
    assert len(told_to_the_other_seat(REVEAL, happened=[REVEAL])) == 1
