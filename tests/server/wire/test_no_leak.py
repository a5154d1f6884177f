"""No leak on the wire: what a reader cannot know changes no byte, no length and no number of messages."""

import os

import pytest

from royalcrypt.server.sockets.endpoint import PROTOCOLS
from tests.server.wire.performing import Company, Findings
from tests.server.wire.scenes import SCENES, TWO, any_scene
from tests.server.wire.scripts import script_of

CHUNKS = 4
MANY = int(25 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))


def told(found: Findings) -> str:
    return "\n".join(map(str, found.differences))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", SCENES)
def test_what_a_reader_cannot_know_changes_nothing_they_receive(
    company: Company, name: str, protocol: int
) -> None:
    found = company.compare(script_of(SCENES[name]), protocol)
    assert not found.differences, told(found)
    assert not found.log, "something went wrong on the way"
    assert found.hidden > 10, "this game hid next to nothing, so it proves nothing"
    assert found.messages > 300
    assert len(found.reasons) > 7


@pytest.mark.faults
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_leaks_in_many_games(company: Company, chunk: int) -> None:
    found = Findings()
    for seed in range(chunk * MANY, (chunk + 1) * MANY):
        found += company.compare(script_of(any_scene(seed)), PROTOCOLS[seed % len(PROTOCOLS)])
        assert not found.differences, f"scene {seed}\n{told(found)}"
    assert not found.log, "something went wrong on the way"
    assert found.hidden > 20 * MANY
    assert len(found.reasons) > 25


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_same_world_twice_gives_the_same_bytes(company: Company, protocol: int) -> None:
    """Else nothing could be told from a difference."""
    script = script_of(TWO)
    first, second = (company.perform(script, script.true, protocol) for _ in range(2))
    assert first == second
