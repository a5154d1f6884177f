"""A part of the compose file as a process of this machine, told where everything is here."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tests.deploy.building import HOME
from tests.deploy.compose import Health, Part
from tests.deploy.dockerfile import Stage
from tests.services.postgres import Postgres
from tests.services.processes import Service

FOLDERS = ("/var/lib/royalcrypt", "/var/cache/royalcrypt")


class Container(Service):
    """Its command with its environment and nothing else of ours; ready once its health check says so or,
    where there is none, once it says anything."""

    name = "container"

    def __init__(self, part: Part, *, port: str = "", places: Mapping[str, str] | None = None) -> None:
        """``port`` is the one it has in the compose file, ``places`` what is here for what is there."""
        super().__init__()
        self.part = part
        self.health: Health | None = part.health
        self.places = {**(places or {}), **({port: str(self.port)} if port else {})}
        self.environment = {"PATH": os.environ["PATH"], **part.environment}
        self.words = list(part.command)

    def here(self, text: str) -> str:
        """The same words, where their places are."""
        for place, found in self.places.items():
            text = re.sub(rf"(?<![\w.]){re.escape(place)}(?![\w.])", found, text)
        return text

    def with_environment(self, words: list[str]) -> list[str]:
        given = [f"{name}={self.here(value)}" for name, value in self.environment.items()]
        return ["/usr/bin/env", "-i", *given, *map(self.here, words)]

    def command(self) -> list[str]:
        return self.with_environment(self.words)

    def is_ready(self) -> bool:
        if self.health is None:
            return bool(self.log) and self.is_running
        asked = self.with_environment(list(self.health.test))
        try:
            done = subprocess.run(asked, capture_output=True, check=False, timeout=self.health.timeout)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def end(self) -> tuple[int, float]:
        """As Compose does it: its exit code, and the seconds it took."""
        assert self.process
        process, began = self.process, time.monotonic()
        process.terminate()
        return process.wait(self.part.grace), time.monotonic() - began

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")


class OurContainer(Container):
    """One of our own image, which says how it starts and how it tells that it is well."""

    name = "royalcrypt"

    def __init__(self, part: Part, image: Stage, root: Path, places: Mapping[str, str]) -> None:
        super().__init__(part, port=image.last("EXPOSE").text, places=places)
        if not part.given.get("healthcheck", {}).get("disable"):
            self.health = part.health or image.health
        self.places |= {folder: str(self.folder / Path(folder).name) for folder in FOLDERS[:1]}
        self.places |= {FOLDERS[1]: str(self.folder / "cache")}
        (self.folder / "cache").mkdir()
        home = root / HOME.lstrip("/")
        programs = f"{home / 'bin'}:{os.environ['PATH']}"
        self.environment = image.environment | part.environment | {"PATH": programs}
        self.words = [*image.last("ENTRYPOINT").words, *(part.command or image.last("CMD").words)]
        self._use_script(home)

    def _use_script(self, home: Path) -> None:
        """The script that starts it names the place of the image, so this one has a script of its own."""
        script = self.folder / "start"
        script.write_text((home / "bin" / "start").read_text("utf-8").replace(HOME, str(home)), "utf-8")
        shutil.copymode(home / "bin" / "start", script)
        self.words[0] = str(script)


class DatabaseContainer(Postgres):
    """The system's PostgreSQL, with the settings of the compose file; whoever asks from here gets in."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        self.part = part
        self.settings += [
            word for before, word in zip(part.command, part.command[1:], strict=False) if before == "-c"
        ]

    def is_ready(self) -> bool:
        assert self.part.health
        asked = [word.replace("5432", str(self.port)) for word in self.part.health.test]
        return subprocess.run(asked, check=False, capture_output=True).returncode == 0

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"
