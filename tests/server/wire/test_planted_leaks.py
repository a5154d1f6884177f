"""The tests of the wire are tested: every planted leak is noticed, by whom and by what it says.

Every fourth one is planted each time the tests run, the others by ``make faults``. That nothing is noticed in
these scenes without a leak, ``test_no_leak`` tells.
"""

import pytest

from tests.faults import rest_leaks, wire_leaks
from tests.faults.planting import LEAKS, WireLeak
from tests.server.wire.performing import Company, compared
from tests.server.wire.scenes import SCENES
from tests.server.wire.scripts import script_of


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(leak, id=leak.what, marks=() if number % 4 == 0 else pytest.mark.faults)
        for number, leak in enumerate(LEAKS)
    ],
)
def test_a_planted_leak_is_noticed(company: Company, leak: WireLeak, monkeypatch: pytest.MonkeyPatch) -> None:
    script = script_of(leak.scene)
    known = script.channels[leak.noticed_by]
    leak.plant(monkeypatch)
    true, _ = company.perform(script, script.true)
    other, _ = company.perform(script, script.others[known])
    found = {each.channel: each for each in compared(script, known, true, other).differences}
    assert leak.noticed_by in found, f"noticed by {sorted(found)} only"
    assert found[leak.noticed_by].kind == leak.kind, str(found[leak.noticed_by])


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.what)
def test_a_leak_can_be_planted(leak: WireLeak, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it patches is still there."""
    leak.plant(monkeypatch)


def test_there_are_at_least_thirty_in_scenes_that_are_clean_without() -> None:
    assert len({leak.what for leak in LEAKS}) >= 30
    assert {leak.plant.__module__ for leak in LEAKS} == {rest_leaks.__name__, wire_leaks.__name__}
    assert {leak.scene for leak in LEAKS} <= set(SCENES.values())
    assert {leak.kind for leak in LEAKS} == {"bytes", "length", "count"}
