"""``royalcrypt play`` in the browser, and the output of ``royalcrypt serve``."""

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import segno

from royalcrypt.cli import main
from royalcrypt.cli.play import has_display
from royalcrypt.cli.serve import can_show_blocks, qr_code
from royalcrypt.locales import catalogue
from royalcrypt.server.settings import SETTINGS
from tests.server.processes import LITTLE, OPEN, ROOT, Process, environment, finished, wait_for


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def browser(tmp_path: Path) -> str:
    """A browser for the variable BROWSER that only writes down the address."""
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho "$1" > {tmp_path}/shown.part\nmv {tmp_path}/shown.part {tmp_path}/shown\n'
    )
    script.chmod(0o700)
    return f"{script} %s"


def shown(tmp_path: Path) -> str:
    wait_for(tmp_path / "shown")
    return (tmp_path / "shown").read_text("utf-8").strip()


def test_play_opens_a_browser_at_the_address(tmp_path: Path, data: Path, browser: str) -> None:
    with Process(data, "play", "--port", "0", DISPLAY=":0", BROWSER=browser) as server:
        assert shown(tmp_path) == server.url
        assert server.end() == 0
        assert server.complaints() == ""


def test_a_second_play_uses_the_running_server(tmp_path: Path, data: Path, browser: str) -> None:
    with Process(data, "serve", "--port", "0") as server:
        done = finished(data, "play", WAYLAND_DISPLAY="wayland-0", BROWSER=browser)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"Royal Crypt is open already, at {server.url}\n"
        assert shown(tmp_path) == server.url
        server.end()


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        ((), {}),
        ((), {"DISPLAY": ":0", "CI": "true"}),
        (("--no-browser",), {"DISPLAY": ":0"}),
    ],
    ids=["no display", "CI", "not wanted"],
)
def test_without_a_display_play_only_prints_the_address(
    tmp_path: Path, data: Path, browser: str, arguments: tuple[str, ...], more: dict[str, str]
) -> None:
    with Process(
        data, "play", "--port", "0", *arguments, until=OPEN, program=LITTLE, BROWSER=browser, **more
    ) as server:
        assert finished(data, "play", *arguments, program=LITTLE, BROWSER=browser, **more).returncode == 0
        assert server.end() == 0
        assert not (tmp_path / "shown").exists()


def test_without_a_browser_play_prints_the_address(data: Path) -> None:
    with Process(data, "play", "--port", "0", DISPLAY=":0", PATH="/nowhere") as server:
        assert server.get("/health")[0].status == 200
        assert server.end() == 0
        assert server.complaints() == ""


def test_a_display_is_detected() -> None:
    assert not has_display({}, "linux")
    assert not has_display({"DISPLAY": ""}, "linux")
    assert has_display({"DISPLAY": ":0"}, "linux")
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, "freebsd14")
    assert has_display({}, "darwin")
    assert has_display({}, "win32")
    assert not has_display({"CI": "1", "DISPLAY": ":0"}, "darwin")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--terminal", "--port", "1"], ("--terminal", "--port")),
        (["--players", "2", "--lan"], ("--players", "--lan")),
        (["--resume", "--no-browser"], ("--resume", "--no-browser")),
    ],
)
def test_options_for_the_terminal_and_for_the_browser_do_not_mix(
    arguments: list[str], named: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *arguments]) == 2
    words = "{} is for a game in the terminal and {} for one in the browser: leave one of them out."
    assert capsys.readouterr().err == f"royalcrypt: {words.format(*named)}\n"


def test_a_qr_code_holds_the_address_dark_on_light() -> None:
    url = "http://192.168.178.21:8642"
    lines = [line.removeprefix("\x1b[97;40m").removesuffix("\x1b[0m") for line in qr_code(url).splitlines()]
    light = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows = [[light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    expected = segno.make(url, error="l", micro=False).matrix_iter(border=2)
    for row, modules in zip(rows, expected, strict=False):
        assert row == [1 - bool(module) for module in modules]
    assert len(lines[0]) <= 80


def test_a_qr_code_is_shown_on_a_screen(data: Path) -> None:
    master, slave = pty.openpty()
    server = subprocess.Popen(
        [*LITTLE, "serve", "--port", "0", "--lan"],
        stdout=slave,
        cwd=ROOT,
        env=environment(data, PYTHONIOENCODING="utf-8"),
        start_new_session=True,
    )
    os.close(slave)
    said = b""
    try:
        while b"Stop with" not in said:
            said += os.read(master, 4096)
    finally:
        server.kill()
        server.wait()
        os.close(master)
    assert "▀".encode() in said or b"This machine has no address on a local network" in said


def test_a_terminal_without_block_characters_gets_no_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    for encoding, can in (("utf-8", True), ("ascii", False), ("latin-1", False), ("cp437", True)):
        monkeypatch.setattr(sys, "stdout", Screen(io.BytesIO(), encoding=encoding))
        assert can_show_blocks() is can


def test_every_setting_is_an_option_of_serve(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    told = capsys.readouterr().out
    for name in SETTINGS:
        assert f"--{name.replace('_', '-')}" in told
        assert f"settings.{name}" in catalogue()
