"""Schemathesis makes thousands of requests of the description: all are answered as it says."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.server.harness import Host, Person, person, with_server

CASES = 3
"""Made at random for each operation, beside those that cover the description's every corner."""
CAMPAIGN = round(100 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))
LEFT_OUT = ("positive_data_acceptance",)
"""Not all that is refused can be said in a schema: seats that a table does not have, invisible names."""
REFUSED = "negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429]"
"""What is wrong may first of all be too long."""
COMMAND = (sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()")


async def tried(host: Host, data: Path, config: str, *options: str) -> str:
    """What it found; empty if all is well."""
    (data / "schemathesis.toml").write_text(f"{config}\n[checks]\n{REFUSED}\n", "utf-8")
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "run", f"{host.url}/api/schema/openapi.json",
        "--checks", "all", "--exclude-checks", ",".join(LEFT_OUT),
        "--seed", "1", "--continue-on-failure", "--warnings", "off", *options,
        cwd=data, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    said, _ = await process.communicate()
    return said.decode() if process.returncode else ""


async def known(host: Host, ada: Person, bo: Person) -> tuple[str, str]:
    """A table and a person to ask about, and credentials: those of the table's owner, and the host's."""
    opened = await ada.open_table(players=2)
    there = f'[parameters]\n"path.table_id" = "{opened["info"]["table"]}"\n"path.person_id" = "{bo.id}"\n'
    cookie, token = ada.cookie.partition("=")[2], host.service.keys.admin_token()
    return there, f'[auth.openapi]\nperson = {{ api_key = "{cookie}" }}\nhost = {{ bearer = "{token}" }}\n'


def check(tmp_path: Path, cases: int, *, is_known: bool) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, person(host, "Bo", is_connected=False) as bo:
            there, credentials = await known(host, ada, bo)
            config = there + (credentials if is_known else "")
            # Who signs the device out would be nobody from there on.
            options = ("--exclude-path", "/api/me/device") if is_known else ()
            assert await tried(host, tmp_path, config, "--max-examples", str(cases), *options) == ""
            await ada.ask("GET", "/health", status=200)

    with_server(test, tmp_path)


def test_every_request_of_people_and_the_host_is_answered_as_described(tmp_path: Path) -> None:
    check(tmp_path, CASES, is_known=True)


@pytest.mark.faults
@pytest.mark.parametrize("is_known", [False, True])
def test_a_campaign_of_requests_is_answered_as_described(is_known: bool, tmp_path: Path) -> None:
    check(tmp_path, CAMPAIGN, is_known=is_known)
