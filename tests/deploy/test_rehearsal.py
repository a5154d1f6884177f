"""What the compose file starts works together: a game is played through it while a server restarts."""

import os
import re
import subprocess
import sys

import pytest

from tests.deploy import ROOT


@pytest.mark.slow
def test_a_community_plays_through_the_proxy_while_a_server_restarts() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/rehearse.py", "--short"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sockets = re.search(r"by server: \[(\d), (\d), (\d)\]", done.stdout)
    assert sockets
    assert max(map(int, sockets.groups())) < 3  # nobody is tied to one server
    assert "more moves, to the end of the game" in done.stdout
    assert "bot-workers thought of" in done.stdout
    assert "everything has ended" in done.stdout
