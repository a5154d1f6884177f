"""The units start commands that there are, with settings that can be, and let them do little else."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from royalcrypt.cli import parse
from royalcrypt.server.settings import NOT_SETTINGS, PREFIX, SETTINGS, read_settings
from tests.deploy import ROOT

UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
EXAMPLE = ROOT / "deploy" / "royalcrypt.toml"
PROGRAM = "/opt/royalcrypt/bin/royalcrypt"
MOST_EXPOSED = 20
"""Of 100, as systemd counts it."""
units = pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)


def started(unit: Path) -> list[str]:
    found = re.search(r"^ExecStart=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    assert found
    program, *words = shlex.split(found[1].replace("%i", "8642").replace("${STATE_DIRECTORY}", "/x"))
    assert program == PROGRAM
    return words


def instance(unit: Path, folder: Path) -> Path:
    """As systemd would have it with a program that is there."""
    found = folder / unit.name.replace("@", "@8642")
    found.write_text(unit.read_text("utf-8").replace(PROGRAM, "/bin/true"), "utf-8")
    return found


@units
def test_a_unit_starts_a_command_that_the_program_understands(unit: Path) -> None:
    words = started(unit)
    assert parse(words).command == words[0]


@units
def test_variables_of_a_unit_are_known(unit: Path) -> None:
    names = re.findall(rf"^Environment=({PREFIX}\w+)=", unit.read_text("utf-8"), re.MULTILINE)
    known = NOT_SETTINGS | {PREFIX + name.upper() for name in SETTINGS}
    assert names
    assert set(names) <= known


@units
def test_systemd_takes_it(unit: Path, tmp_path: Path) -> None:
    asked = ["systemd-analyze", "verify", str(instance(unit, tmp_path))]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@units
def test_what_a_unit_starts_can_do_little_harm(unit: Path, tmp_path: Path) -> None:
    asked = ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
    done = subprocess.run(
        [*asked, str(instance(unit, tmp_path))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-500:]


def test_the_example_of_settings_can_be_read() -> None:
    read = read_settings({"config": str(EXAMPLE)}, environment={}).settings
    assert read.database
    assert read.channel
    assert read.is_secure


def test_what_the_example_leaves_out_can_be_read_too(tmp_path: Path) -> None:
    whole = tmp_path / "royalcrypt.toml"
    whole.write_text(re.sub(r"^# (smtp_)", r"\1", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    assert read_settings({"config": str(whole)}, environment={}).settings.smtp_user == "crypt"
