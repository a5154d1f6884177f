"""The Dockerfile carried out in a folder: the same copies and commands, with other paths and no container."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.deploy import ROOT
from tests.deploy.dockerfile import Instruction, Stage, files_seen, read_dockerfile

HOME = "/opt/royalcrypt"
"""Where the image has the program. It is at one place for all stages: programs there know where they are."""
STANDING = ("/opt/", "/var/lib/royalcrypt", "/var/cache/royalcrypt")


class Builder:
    def __init__(self, folder: Path, note: Callable[[str], object]) -> None:
        self.folder = folder
        self._note = note

    def build(self) -> Path:
        """What stands for the root of the image's files."""
        for stage in read_dockerfile():
            place = self.place(stage.name, "/")
            for each in stage.instructions:
                if each.word == "WORKDIR":
                    place = self.place(stage.name, each.text)
                    place.mkdir(parents=True, exist_ok=True)
                elif each.word == "COPY":
                    self.copy(each, stage, place)
                elif each.word == "RUN":
                    self.run(each, stage, place)
        return self.folder / "image"

    def place(self, stage: str, path: str) -> Path:
        root = "image" if path.startswith(STANDING) else f"stage-{stage}"
        return self.folder / root / path.lstrip("/")

    def copy(self, copy: Instruction, stage: Stage, here: Path) -> None:
        *sources, target = copy.words
        goal = self.place(stage.name, target) if target.startswith("/") else here / target
        for source in sources:
            if "from" in copy.flags:
                found = self.place(copy.flags["from"], source)
                if found != goal:
                    shutil.copytree(found, goal, dirs_exist_ok=True)
            elif (ROOT / source).is_dir():
                for path in files_seen(source):
                    put(ROOT / path, goal / path.relative_to(source))
            else:
                is_folder = target.endswith("/")
                put(ROOT / source, goal / Path(source).name if is_folder else goal)

    def run(self, run: Instruction, stage: Stage, here: Path) -> None:
        self._note(f"{stage.name}: {run.text}")
        text = run.text.replace("/opt/", f"{self.folder / 'image' / 'opt'}/")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        kept = {
            name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
        }
        done = subprocess.run(
            ["sh", "-ec", text],
            cwd=here,
            env=kept | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{run.text}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def put(source: Path, goal: Path) -> None:
    goal.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, goal)


def stand_in(folder: Path) -> Path:
    """In place of what would be built: the script that starts the program, and the program of these tests."""
    root = folder / "image"
    programs = root / HOME.lstrip("/") / "bin"
    programs.mkdir(parents=True)
    (programs.parent / "compiled").mkdir()
    sources = f"PYTHONPATH={ROOT / 'src'}"
    for name, words in (("python", ""), ("royalcrypt", " -m royalcrypt")):
        (programs / name).write_text(f'#!/bin/sh\n{sources} exec {sys.executable}{words} "$@"\n', "utf-8")
    shutil.copy(ROOT / "deploy" / "start.sh", programs / "start")
    for program in programs.iterdir():
        program.chmod(0o755)
    return root
