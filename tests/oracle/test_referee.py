"""The referee accepts what the rules allow and nothing else."""

import copy
import random
from typing import Any

import pytest

from tests.oracle.chance import choose, commitment
from tests.oracle.game import Oracle
from tests.oracle.referee import Disagreement, recompute, referee
from tests.oracle.test_oracle import play_at_random


def record_of(players: int, seed: int) -> dict[str, Any]:
    """A random game with luck from its addresses."""
    rng = random.Random(seed)
    secret, entropy = rng.randbytes(32), [f"e{seat}" for seat in range(players)]
    sides, leader = "".join(rng.choice("AB") for _ in range(6)), rng.randrange(max(2, players))
    oracle = Oracle(players, sides, leader)
    while oracle.actor != "over":
        if oracle.actor == "chance":
            outcomes = oracle.outcomes()
            oracle.apply("chance", outcomes[choose(secret, entropy, oracle.address(), len(outcomes))])
        else:
            play_at_random(oracle, rng)
    return {
        "format": "royalcrypt-record",
        "game": {
            "players": players,
            "mode": "solo" if players == 1 else "standard",
            "collectors": sides,
            "leader": leader,
            "seats": [{"name": "x"}] * players,
        },
        "fairness": {"commitment": commitment(secret), "seed": secret.hex(), "entropy": entropy},
        "events": copy.deepcopy(oracle.log),
        "result": oracle.result(),
    }


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(20))
def test_a_sound_record_passes(players: int, seed: int) -> None:
    record = record_of(players, seed)
    for event in record["events"]:
        event["at"] = "unknown fields do no harm"
    referee(record)
    recompute(record)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_missing_or_doubled_event_is_noticed(players: int) -> None:
    record = record_of(players, 7)
    for n in range(0, len(record["events"]), 5):
        sound: list[dict[str, Any]] = record["events"]
        for wrong in (sound[:n] + sound[n + 1 :], sound[: n + 1] + sound[n:]):
            events = [dict(event) for event in wrong]
            with pytest.raises(Disagreement):
                referee({**record, "events": events})
            for k, event in enumerate(events):
                event["n"] = k
            with pytest.raises(Disagreement):
                recompute({**record, "events": events})


def tampered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 7
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, list):
        return [*value, 9]  # pyright: ignore[reportUnknownVariableType]
    return {**value, "9": []}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_changed_field_is_noticed_where_it_stands(players: int) -> None:
    record = record_of(players, 11)
    for n, event in enumerate(record["events"]):
        for key in event:
            changed = copy.deepcopy(record)
            changed["events"][n][key] = tampered(event[key])
            with pytest.raises(Disagreement) as found:
                referee(changed)
            assert found.value.n == n
    for key in ("scores", "places", "winners", "breakdown"):
        with pytest.raises(Disagreement) as found:
            referee({**record, "result": {**record["result"], key: tampered(record["result"][key])}})
        assert found.value.n == len(record["events"])


def test_luck_that_is_not_at_its_address_is_noticed_only_by_recomputing() -> None:
    record = record_of(2, 3)
    record["fairness"] = {"commitment": commitment(b"x"), "seed": b"x".hex(), "entropy": ["e0", "e1"]}
    referee(record)
    with pytest.raises(Disagreement):
        recompute(record)
    record["fairness"]["commitment"] = commitment(b"y")
    with pytest.raises(Disagreement, match="committed"):
        recompute(record)
