"""The tests of the wire are tested: every planted leak is noticed, by whom and by what it says.

Half of them are planted each time the tests run, in one of the socket's protocols, all in both by ``make
faults``. That nothing is noticed in
these scenes without a leak, ``test_no_leak`` tells.
"""

import pytest

from tests.faults import rest_leaks, surface_leaks, wire_leaks
from tests.faults.planting import LEAKS, WireLeak
from tests.server.wire.performing import Company, compared
from tests.server.wire.scenes import SCENES


@pytest.mark.parametrize(
    ("leak", "protocol"),
    [
        pytest.param(
            leak,
            protocol,
            id=f"{leak.what} ({protocol})",
            marks=() if (number + protocol) % 4 == 0 else pytest.mark.faults,
        )
        for number, leak in enumerate(LEAKS)
        for protocol in leak.protocols
    ],
)
def test_a_planted_leak_is_noticed(
    company: Company, leak: WireLeak, protocol: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = leak.script(leak.scene)
    known = script.channels[leak.noticed_by]
    leak.plant(monkeypatch)
    true, _ = company.perform(script, script.true, protocol)
    other, _ = company.perform(script, script.others[known], protocol)
    found = {each.channel: each for each in compared(script, known, true, other).differences}
    assert leak.noticed_by in found, f"noticed by {sorted(found)} only"
    assert found[leak.noticed_by].kind == leak.kinds[protocol], str(found[leak.noticed_by])


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.what)
def test_a_leak_can_be_planted(leak: WireLeak, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it patches is still there."""
    leak.plant(monkeypatch)


def test_there_are_at_least_thirty_in_scenes_that_are_clean_without() -> None:
    assert len({leak.what for leak in LEAKS}) >= 30
    assert {leak.plant.__module__ for leak in LEAKS} == {
        module.__name__ for module in (rest_leaks, surface_leaks, wire_leaks)
    }
    assert {leak.scene for leak in LEAKS} <= set(SCENES.values())
    assert {kind for leak in LEAKS for kind in leak.kinds.values()} == {"bytes", "length", "count"}
