"""``compose.yaml`` as Compose reads it: variables filled in, a part for each service."""

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tests.deploy import ROOT

COMPOSE = ROOT / "compose.yaml"
VARIABLE = re.compile(r"\$(?:(\$)|\{(\w+)(?:(:-|:\?)([^}]*))?\})")
UNITS = {"s": 1, "m": 60}
Json = dict[str, Any]


class VariableError(ValueError):
    """A variable that must be set is not; says what the file says about it."""


class Health(msgspec.Struct, frozen=True):
    test: tuple[str, ...]
    timeout: int


class Part(msgspec.Struct, frozen=True):
    """A service, as far as it can be carried out without containers."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str]
    replicas: int
    grace: int
    """Seconds from the signal to stop until it would be killed."""
    health: Health | None
    given: Json
    """All that the file says about it."""


def read_compose(variables: Mapping[str, str], path: Path = COMPOSE) -> Json:
    return filled_in(yaml.safe_load(path.read_text("utf-8")), variables)


def filled_in(given: Any, variables: Mapping[str, str]) -> Any:
    match given:
        case str():
            return VARIABLE.sub(lambda found: value_of(found, variables), given)
        case list():
            return [filled_in(each, variables) for each in given]  # pyright: ignore[reportUnknownVariableType]
        case dict():
            return {name: filled_in(each, variables) for name, each in given.items()}  # pyright: ignore[reportUnknownVariableType]
        case _:
            return given


def value_of(found: re.Match[str], variables: Mapping[str, str]) -> str:
    dollar, name, how, words = found.groups()
    if dollar:
        return "$"
    value = variables.get(name, "")
    if not value and how == ":?":
        raise VariableError(f"{name}: {words}")
    return value or (words if how == ":-" else "")


def variables_in(text: str) -> set[str]:
    return {name for _, name, _, _ in VARIABLE.findall(text) if name}


def read_variables(path: Path) -> dict[str, str]:
    """Of an ``.env``."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def parts_of(compose: Json) -> dict[str, Part]:
    return {name: part_of(name, given) for name, given in compose["services"].items()}


def part_of(name: str, given: Json) -> Part:
    command = given.get("command", ())
    return Part(
        name,
        tuple(shlex.split(command) if isinstance(command, str) else command),
        {variable: str(value) for variable, value in given.get("environment", {}).items()},
        given.get("deploy", {}).get("replicas", 1),
        seconds(given["stop_grace_period"]),
        health_of(given.get("healthcheck", {})),
        given,
    )


def health_of(given: Json) -> Health | None:
    if "test" not in given:
        return None
    how, *words = given["test"]
    return Health(("sh", "-c", *words) if how == "CMD-SHELL" else tuple(words), seconds(given["timeout"]))


def seconds(text: str) -> int:
    return int(text[:-1]) * UNITS[text[-1]]
