"""Starts the example programs against a real server."""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples"
NODE = shutil.which("node") or "node"
PROGRAMS = {
    "Python": [sys.executable, str(FOLDER / "program.py")],
    # Node 22 accepts this option, too, but does not need it.
    "JavaScript": [NODE, "--experimental-websocket", "--no-warnings", str(FOLDER / "program.mjs")],
}


@contextmanager
def started(language: str, *arguments: str) -> Generator["subprocess.Popen[str]"]:
    """Runs until the block ends; its output can be read."""
    process = subprocess.Popen(
        [*PROGRAMS[language], *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"NO_PROXY": "*"},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
