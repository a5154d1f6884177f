"""The compose file starts what the program knows how to do, and lets nobody in but through the proxy."""

import re
import subprocess
import sys
import tomllib

import pytest

from royalcrypt.cli import parse
from royalcrypt.server.settings import NOT_SETTINGS, PREFIX, read_settings
from tests.deploy import ROOT
from tests.deploy.compose import (
    COMPOSE,
    Part,
    VariableError,
    parts_of,
    read_compose,
    read_variables,
    variables_in,
)
from tests.deploy.dockerfile import read_dockerfile
from tests.deploy.shipped import EXAMPLE, FILE, PARTS, VARIABLES

OURS = {"server": 3, "bot-worker": 2}
IMAGE = read_dockerfile()[-1]
DATABASE = "postgresql://royalcrypt:abc123@postgres:5432/royalcrypt"
PROBES = {"curl", "pg_isready", "redis-cli"}
"""What the images are known to have."""


def parts(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("part", [PARTS[name] for name in names or PARTS], ids=names or [*PARTS])


def test_it_is_what_composes_specification_says() -> None:
    asked = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_parts_are_those_of_a_community() -> None:
    assert {name: part.replicas for name, part in PARTS.items()} == {
        **OURS,
        **dict.fromkeys(("postgres", "redis", "proxy"), 1),
    }


@parts(*OURS)
def test_a_command_is_one_that_the_program_understands(part: Part) -> None:
    assert parse([*part.command]).command == part.command[0]
    assert part.given["build"] == "."
    assert "entrypoint" not in part.given


@parts(*OURS)
def test_every_setting_is_known_and_its_value_can_be(part: Part) -> None:
    found = IMAGE.environment | part.environment
    assert {name for name in part.environment if not name.startswith(PREFIX)} == set()
    reading = read_settings({"database": DATABASE}, environment=found)
    assert reading.settings.channel == "redis://:def456@redis:6379/0"
    assert part.environment.get(PREFIX + "DATABASE", DATABASE) == DATABASE
    assert not any(name in NOT_SETTINGS for name in part.environment)


def test_letters_can_be_switched_on_by_variables() -> None:
    more = {"SMTP_HOST": "mail.example.org", "SMTP_FROM": "crypt@example.org"}
    part = parts_of(read_compose(VARIABLES | more))["server"]
    assert read_settings(environment=part.environment).settings.smtp_host == "mail.example.org"


def test_the_example_names_every_variable_and_no_other_and_has_no_password() -> None:
    variables = read_variables(EXAMPLE)
    assert set(variables) == variables_in(COMPOSE.read_text("utf-8"))
    assert [name for name, value in variables.items() if "PASSWORD" in name and value] == []


@pytest.mark.parametrize("name", ["POSTGRES_PASSWORD", "REDIS_PASSWORD", "PUBLIC_URL"])
def test_without_what_it_needs_it_says_what_to_do(name: str) -> None:
    with pytest.raises(VariableError, match=f"{name}: see deploy/prepare.sh"):
        read_compose(VARIABLES | {name: ""})


@parts()
def test_images_are_pinned_and_parts_come_back(part: Part) -> None:
    _, _, tag = part.given["image"].partition(":")
    assert re.match(r"\d+", tag)
    assert part.given["restart"] == "unless-stopped"
    assert part.given["read_only"] is True
    assert "no-new-privileges:true" in part.given["security_opt"]
    assert not part.given.get("privileged")


def test_our_image_is_named_after_the_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert {PARTS[name].given["image"] for name in OURS} == {f"royalcrypt:{version.rpartition('.')[0]}"}


def test_nobody_gets_in_but_through_the_proxy() -> None:
    assert [name for name, part in PARTS.items() if "ports" in part.given] == ["proxy"]
    assert PARTS["proxy"].given["networks"] == ["front"]
    assert FILE["networks"]["back"] == {"internal": True}
    for name in ("postgres", "redis", "bot-worker"):
        assert PARTS[name].given["networks"] == ["back"]
    subnet = FILE["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert PARTS["server"].environment["ROYALCRYPT_TRUSTED_PROXIES"] == subnet


@parts("postgres", "redis", "proxy")
def test_health_is_asked_with_what_the_image_has(part: Part) -> None:
    assert part.health
    assert PROBES & set(re.findall(r"[\w-]+", " ".join(part.health.test)))


@parts(*OURS, "proxy")
def test_what_a_part_needs_is_healthy_first(part: Part) -> None:
    for name, needed in part.given["depends_on"].items():
        assert needed == {"condition": "service_healthy"}
        assert PARTS[name].health or name == "server"  # whose health the image tells


def test_a_server_has_more_time_to_end_than_it_takes() -> None:
    from royalcrypt.server.operations.shutdown import SHUTDOWN_SECONDS

    assert all(PARTS[name].grace > SHUTDOWN_SECONDS for name in OURS)


def test_memory_that_parts_write_to_belongs_to_whoever_runs_them() -> None:
    user, _, group = IMAGE.last("USER").text.partition(":")
    folders = [IMAGE.environment[PREFIX + name] for name in ("DATA", "CACHE_DIR")]
    for name in OURS:
        written = PARTS[name].given["tmpfs"]
        assert written == ["/tmp", *(f"{folder}:uid={user},gid={group},mode=0700" for folder in folders)]


@parts()
def test_files_of_ours_that_are_mounted_are_there(part: Part) -> None:
    for volume in part.given.get("volumes", ()):
        source = volume.split(":")[0]
        if source == "./deploy/certificates":
            assert "deploy/certificates" in (ROOT / "deploy" / "prepare.sh").read_text("utf-8")
        elif source.startswith("."):
            assert (ROOT / source).is_dir()
            assert volume.endswith(":ro")
        else:
            assert source in FILE["volumes"]


def test_a_bot_worker_cannot_reach_the_games() -> None:
    assert "postgres" not in PARTS["bot-worker"].given["depends_on"]
    assert not any("postgres" in text for text in PARTS["bot-worker"].environment.values())
