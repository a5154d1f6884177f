"""Who works for a command, and what is said where nobody can."""

import socket
from collections.abc import Iterator

import pytest

from royalcrypt.cli import main
from royalcrypt.lab import cluster

SIMULATE = ["simulate", "--games", "3", "--json"]


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of somebody who listens, and is no cluster."""
    with socket.create_server(("127.0.0.2", 0)) as server:
        yield f"127.0.0.2:{server.getsockname()[1]}"


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    return err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jobs", "0"], "--jobs 0: give a whole number from 1 to 64."),
        (["--jobs", "2", "--ray", "auto"], "--jobs is for this machine and --ray for a cluster"),
        (["--ray", "nonsense"], "no address of a Ray cluster: write auto, HOST:PORT or ray://HOST:PORT."),
        (["--ray", ""], "is no address of a Ray cluster"),
        (["--ray", "127.0.0.2:1"], "No Ray cluster answers at 127.0.0.2:1: Connection refused."),
        (["--ray", "no.such.host.invalid:6379"], "No Ray cluster answers at no.such.host.invalid:6379: "),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "train", "calibrate"])
def test_bad_addresses_get_one_clear_line(
    command: str, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    file = [f"{tmp_path}/training"] if command == "train" else []
    assert words in refused([command, *file, *arguments], capsys).replace("royalcrypt: ", "")


def test_who_listens_and_says_nothing_is_not_waited_for(
    silent: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 2)
    assert f"No Ray cluster answers at {silent}: 2 s." in refused([*SIMULATE, "--ray", silent], capsys)


def test_without_a_cluster_here_auto_finds_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.2:1")
    monkeypatch.setattr(cluster, "SECONDS_TO_ANSWER", 2)
    assert "No Ray cluster answers at auto: " in refused([*SIMULATE, "--ray", "auto"], capsys)


def test_without_ray_it_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(name: str) -> None:
        return None

    monkeypatch.setattr(cluster, "find_spec", nowhere)
    assert "install royalcrypt[ray]" in refused([*SIMULATE, "--ray", "auto"], capsys)


def test_measuring_bots_takes_the_same_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--ray is of use only together with --measure." in refused(["bots", "--ray", "auto"], capsys)
