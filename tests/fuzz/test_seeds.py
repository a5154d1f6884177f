"""What was found by fuzzing stays found: all kept inputs are fed to their targets again."""

from pathlib import Path

import msgspec
import pytest

from tests.fuzz import targets
from tests.fuzz.edge import Step
from tests.fuzz.targets import SEEDS, TARGETS
from tests.fuzz.test_edge import opened

EDGE = SEEDS / "edge"


def seeds_of(name: str) -> list[Path]:
    return sorted((SEEDS / name).iterdir())


@pytest.mark.parametrize("name", TARGETS)
def test_kept_inputs_are_understood_or_refused(name: str) -> None:
    assert seeds_of(name)
    for seed in seeds_of(name):
        try:
            TARGETS[name](seed.read_bytes())
        except Exception as error:
            raise AssertionError(f"{name}: {seed.name}") from error


def test_every_folder_of_seeds_has_its_target() -> None:
    assert {folder.name for folder in SEEDS.iterdir()} == {*TARGETS, EDGE.name}


@pytest.mark.parametrize(
    ("name", "what", "data"),
    [
        ("commands", "read_command", b'{"type":"ping"}'),
        ("records", "replay_json", max((SEEDS / "records").iterdir()).read_bytes()),
        ("headers", "is_cross_site", b"http://[::1"),
    ],
)
def test_a_fault_is_noticed(name: str, what: str, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr(targets, what, fail)
    with pytest.raises(IndexError):
        TARGETS[name](data)


def test_others_play_on_through_all_kept_streams(tmp_path: Path) -> None:
    play(tmp_path, *seeds_of(EDGE.name))


def play(data: Path, *seeds: Path) -> None:
    with opened(data) as (runner, edge):
        for seed in seeds:
            for step in msgspec.json.decode(seed.read_bytes(), type=list[Step]):
                runner.run(edge.checked(edge.do(step)))
            runner.run(edge.checked(edge.hang_up()))
