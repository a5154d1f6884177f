"""The ``Dockerfile`` as a builder reads it, and which files it may see."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.deploy import ROOT
from tests.deploy.compose import Health, seconds

DOCKERFILE, IGNORED = ROOT / "Dockerfile", ROOT / ".dockerignore"
FLAG = re.compile(r"--([a-z-]+)=(\S+)\s+")


class Instruction(msgspec.Struct, frozen=True):
    word: str
    flags: dict[str, str]
    text: str

    @property
    def words(self) -> list[str]:
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


class Stage(msgspec.Struct):
    image: str
    name: str
    instructions: list[Instruction]

    def last(self, word: str) -> Instruction:
        return [each for each in self.instructions if each.word == word][-1]

    @property
    def environment(self) -> dict[str, str]:
        pairs = [pair for each in self.instructions if each.word == "ENV" for pair in each.words]
        return dict(pair.split("=", 1) for pair in pairs)

    @property
    def health(self) -> Health:
        found = self.last("HEALTHCHECK")
        return Health(tuple(json.loads(found.text.removeprefix("CMD "))), seconds(found.flags["timeout"]))


def read_dockerfile(path: Path = DOCKERFILE) -> list[Stage]:
    stages: list[Stage] = []
    for instruction in instructions(path.read_text("utf-8")):
        if instruction.word == "FROM":
            image, _, name = instruction.text.partition(" AS ")
            stages.append(Stage(image, name, []))
        else:
            stages[-1].instructions.append(instruction)
    return stages


def instructions(text: str) -> Iterator[Instruction]:
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n\s*", " ", lines).splitlines():
        if line:
            word, _, rest = line.partition(" ")
            flags: dict[str, str] = {}
            while found := FLAG.match(rest):
                flags[found[1]] = found[2]
                rest = rest[found.end() :]
            yield Instruction(word, flags, rest.strip())


def is_seen(path: Path) -> bool:
    """Whether the builder gets to see a file or folder of the repository; the last line that fits decides."""
    names = [path, *path.parents][:-1]
    seen = True
    for line in IGNORED.read_text("utf-8").splitlines():
        pattern = line.removeprefix("!")
        if line and not line.startswith("#") and any(fits(pattern, name) for name in names):
            seen = line.startswith("!")
    return seen


def fits(pattern: str, path: Path) -> bool:
    expression = re.escape(pattern).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
    return re.fullmatch(expression, path.as_posix()) is not None


def files_seen(source: str) -> list[Path]:
    """What a COPY of it takes along, by its path in the repository."""
    if not is_seen(Path(source)):
        return []
    if (ROOT / source).is_file():
        return [Path(source)]
    inside = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / source).iterdir())
    return [path for each in inside for path in files_seen(each)]
