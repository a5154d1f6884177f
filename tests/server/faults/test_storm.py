"""Ten thousand messages that Hypothesis thought of: no crash, nothing but legal moves, always an answer."""

import asyncio
import os
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.server.faults.storms import FATAL, MESSAGES, Fatal
from tests.server.faults.stormy import Stormy
from tests.server.harness import person, serving

AT_ONCE = 25
BATCHES = 400
CAMPAIGN = int(BATCHES * 5 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))


def storm(data: Path, *, batches: int, derandomize: bool) -> Counter[str]:
    """Send batches of messages to a server that stands still in between; tells what came of them."""
    stack = AsyncExitStack()

    async def begin() -> Stormy:
        host = await stack.enter_async_context(serving(data))
        someone = [await stack.enter_async_context(person(host, name)) for name in ("Mallory", "Bo", "Eve")]
        stormy = Stormy(host, *someone)
        await stormy.open()
        return stormy

    with asyncio.Runner() as runner:
        stormy = runner.run(begin())

        @settings(
            max_examples=batches,
            derandomize=derandomize,
            phases=[Phase.generate],  # What happened before cannot be made undone, so nothing can be shrunk.
            database=None,
            suppress_health_check=[
                HealthCheck.data_too_large,
                HealthCheck.large_base_example,
                HealthCheck.too_slow,
            ],
        )
        @given(st.lists(MESSAGES, min_size=AT_ONCE, max_size=AT_ONCE), FATAL)
        def blow(batch: list[Any], fatal: Fatal | None) -> None:
            runner.run(stormy.endure(batch, fatal))

        try:
            blow()
        finally:
            runner.run(stack.aclose())
    return stormy.counts


def check_counts(counts: Counter[str]) -> None:
    """That it was a storm: everything that can happen has happened."""
    print(dict(counts))  # noqa: T201 (shown by pytest -s)
    answers = {"done", "shown", "update", "said", "reacted", "lobby", "games"}
    closed = {f"closed with {code}" for code in (1002, 1007, 1009)}
    refused = {
        "already_done", "game_over", "no_such_table", "not_a_message", "not_watching", "not_your_seat",
        "not_your_turn", "ply_ahead", "stale", "wrong_chat",
    }  # fmt: skip
    assert answers | closed | refused <= set(counts)
    assert counts["kept"] >= counts["messages"] / 100
    assert counts["server_failed"] == 0


def test_a_storm_of_messages_does_nothing_but_what_is_legal(tmp_path: Path) -> None:
    counts = storm(tmp_path, batches=BATCHES, derandomize=True)
    assert counts["messages"] >= 10_000
    check_counts(counts)


@pytest.mark.faults
def test_a_long_storm_of_messages_does_nothing_but_what_is_legal(tmp_path: Path) -> None:
    counts = storm(tmp_path, batches=CAMPAIGN, derandomize=False)
    assert counts["messages"] >= CAMPAIGN * AT_ONCE
    check_counts(counts)
