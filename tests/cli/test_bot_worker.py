"""``royalcrypt bot-worker``: its messages, and the settings it refuses."""

import os
from pathlib import Path

import pytest

from royalcrypt.cli import bot_worker, parse
from royalcrypt.cli.serve import options_in
from royalcrypt.server.settings import read_settings
from tests.server.processes import REAL, Process, finished
from tests.services.processes import free_port


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "A bot-worker needs the channel"),
        (("--channel", "cache.example.org:6379"), "--channel: channel cannot be"),
        (("--channel", "redis://localhost:6379/0?speed=high"), "channel"),
        (("--channel", "redis://localhost", "--bot-workers", "0"), "--bot-workers: bot_workers cannot be"),
        (("--config", "/nowhere/royalcrypt.toml"), "/nowhere/royalcrypt.toml"),
    ],
    ids=["no channel", "no address", "no such option", "no processes", "no file"],
)
def test_wrong_settings_are_refused_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = finished(tmp_path / "data", "bot-worker", *arguments, program=REAL)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_it_starts_without_redis_hides_the_password_and_exits_cleanly(tmp_path: Path) -> None:
    data, channel = tmp_path / "data", f"redis://:sesame@127.0.0.1:{free_port()}/3"
    with Process(
        data, "bot-worker", "--bot-workers", "1", program=REAL, ROYALCRYPT_CHANNEL=channel
    ) as worker:
        assert "/3, up to 1 at a time" in worker.said
        assert worker.end() == 0
        assert "Stopped." in worker.said
        assert "sesame" not in worker.said + worker.complaints()
        assert "Traceback" not in worker.complaints()
    assert not data.exists()


def test_settings_of_a_server_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "royalcrypt.toml").write_text('channel = "redis://here"\nsmtp_host = "mail.example.org"\n')
    arguments = parse(["bot-worker", "--data", str(tmp_path)])
    loaded = read_settings(options_in(arguments), {}, required={})
    assert loaded.settings.channel == "redis://here"
    assert bot_worker.processes_for(loaded) == os.cpu_count()
    arguments = parse(["bot-worker", "--data", str(tmp_path), "--bot-workers", "5"])
    assert bot_worker.processes_for(read_settings(options_in(arguments), {}, required={})) == 5
