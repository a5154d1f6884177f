"""The image is built from what is in the repository, from locks, and for somebody without power."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from royalcrypt.cli import COMMANDS
from tests.deploy import ROOT
from tests.deploy.dockerfile import DOCKERFILE, Instruction, files_seen, is_seen, read_dockerfile

STAGES = read_dockerfile()
IMAGE = STAGES[-1]
ALL = [(stage, each) for stage in STAGES for each in stage.instructions]
COPIES = [each for _, each in ALL if each.word == "COPY"]
FROM_HERE = [each for each in COPIES if "from" not in each.flags]
HADOLINT = Path(sys.executable).with_name("hadolint")
SECRET = re.compile(r"password|secret|token|api_?key", re.IGNORECASE)


def test_the_linter_has_nothing_to_say() -> None:
    done = subprocess.run([HADOLINT, "--no-color", DOCKERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("copy", FROM_HERE, ids=lambda copy: copy.text)
def test_what_is_copied_is_there_and_seen(copy: Instruction) -> None:
    for source in copy.words[:-1]:
        assert (ROOT / source).exists()
        assert files_seen(source)


def test_what_other_stages_made_is_copied_from_stages_before() -> None:
    for number, stage in enumerate(STAGES):
        named = {each.flags["from"] for each in stage.instructions if "from" in each.flags}
        assert named <= {before.name for before in STAGES[:number]}


def test_images_are_pinned_by_version() -> None:
    assert all(re.fullmatch(r"(node:\d+|python:\d+\.\d+)-[a-z-]+", stage.image) for stage in STAGES)


def test_everything_installed_is_locked() -> None:
    installs = [each.text for _, each in ALL if each.word == "RUN" and " install " in each.text]
    for text in installs:
        locks = re.findall(r"-r (\S+)", text)
        assert "--no-index" in text or ("--require-hashes" in text and locks)
        assert all((ROOT / lock).is_file() for lock in locks)
    assert any(each.text.startswith("npm ci") for _, each in ALL)


def test_the_python_of_the_image_is_one_that_the_project_is_tested_with() -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert {stage.image.split(":")[1].split("-")[0] for stage in STAGES if "python" in stage.image} == {
        version
    }


@pytest.mark.parametrize(
    "path",
    [
        ".env", ".git/config", ".venv/bin/python", "deploy/certificates/privkey.pem", "tests/conftest.py",
        "web/node_modules/svelte/package.json", "src/royalcrypt/__pycache__/x.pyc", "docs/hosting.md",
        "src/royalcrypt/server/page/index.html", "royalcrypt.db",
    ],
)  # fmt: skip
def test_what_does_not_belong_into_an_image_is_not_seen(path: str) -> None:
    assert not is_seen(Path(path))


@pytest.mark.parametrize(
    "path", ["src/royalcrypt/rules/turns.py", "web/src/main.ts", "requirements/cluster.lock"]
)
def test_what_belongs_into_an_image_is_seen(path: str) -> None:
    assert is_seen(Path(path))
    assert (ROOT / path).exists()


def test_no_secret_is_in_the_image() -> None:
    assert not [each.text for _, each in ALL if SECRET.search(each.text)]


def test_it_runs_as_somebody_without_power_and_tells_whether_it_is_well() -> None:
    assert IMAGE.last("USER").text.split(":")[0] not in ("root", "0")
    port = IMAGE.last("EXPOSE").text
    assert IMAGE.environment["ROYALCRYPT_PORT"] == port
    assert f"http://127.0.0.1:{port}/health" in IMAGE.health.test[-1]
    compile(IMAGE.health.test[-1], "health", "exec")


def test_it_starts_a_command_of_the_program_by_the_script_that_was_put_there() -> None:
    assert IMAGE.last("ENTRYPOINT").words == ["start"]
    assert IMAGE.last("CMD").words[0] in COMMANDS
    assert any(each.text == "deploy/start.sh /opt/royalcrypt/bin/start" for each in COPIES)
    assert IMAGE.environment["PATH"].startswith("/opt/royalcrypt/bin:")


def test_machine_code_is_made_for_the_processor_that_it_runs_on() -> None:
    """Or it would be made again at every start."""
    made = next(each.text for _, each in ALL if each.word == "RUN" and "warm.py" in each.text)
    assert f"NUMBA_CPU_NAME={IMAGE.environment['NUMBA_CPU_NAME']}" in made
    kept = re.search(r"ROYALCRYPT_CACHE_DIR=(\S+)", made)
    assert kept
    assert f"{kept[1]}/." in (ROOT / "deploy" / "start.sh").read_text("utf-8")
