"""The shipped nginx: its templates filled in as its image does it."""

import re
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.deploy import ROOT
from tests.services.processes import Service, free_port, program

TEMPLATES = ROOT / "deploy" / "nginx"
SUFFIX = ".template"
VARIABLE = re.compile(r"\$\{(PROXY_\w+)\}")
BY_NAME = re.compile(r"server server:8642 resolve (.*);")
"""All servers of that name, which only a newer nginx looks up again and again."""
USUAL = ("nginx", "-g", "daemon off;")


def fill_in(folder: Path, variables: Mapping[str, str]) -> Path:
    """Write the configuration there; tells its main file."""
    for template in TEMPLATES.glob(f"*{SUFFIX}"):
        text = VARIABLE.sub(lambda found: variables[found[1]], template.read_text("utf-8"))
        (folder / template.name.removesuffix(SUFFIX)).write_text(text, "utf-8")
    return folder / "nginx.conf"


def one_by_one(servers: str, ports: Sequence[int]) -> str:
    """The same for servers on ports of this machine."""
    found = BY_NAME.fullmatch(servers)
    assert found, servers
    return " ".join(f"server 127.0.0.1:{port} {found[1]};" for port in ports)


def make_certificate(folder: Path, host: str = "localhost") -> tuple[Path, Path]:
    """By the script that hosts call; the certificate and its key."""
    prepare(folder, host)
    kept = folder / "deploy" / "certificates"
    return kept / "fullchain.pem", kept / "privkey.pem"


def prepare(folder: Path, place: str) -> str:
    asked = ["sh", str(ROOT / "deploy" / "prepare.sh"), place, str(folder)]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout


class Proxy(Service):
    name = "nginx"

    def __init__(
        self, variables: Mapping[str, str], command: Sequence[str] = USUAL, *, port: int | None = None
    ) -> None:
        """``variables`` beyond those that say where it runs; ``command`` as the compose file has it."""
        super().__init__()
        self.port = port or self.port
        self.folder.chmod(0o711)  # for its workers, who are nobody
        self.http = free_port()
        self.variables = {
            **variables,
            "PROXY_FOLDER": str(self.folder),
            "PROXY_HTTP": f"127.0.0.1:{self.http}",
            "PROXY_HTTPS": f"127.0.0.1:{self.port}",
        }
        self.config = fill_in(self.folder, self.variables)
        self._words = [*command]

    def command(self) -> list[str]:
        words = [program("nginx"), *self._words[1:]]
        if "-c" in words:
            words[words.index("-c") + 1] = str(self.config)
        else:
            words += ["-c", str(self.config)]
        return [*words, "-p", str(self.folder), "-e", "stderr"]

    def is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def verdict(self) -> subprocess.CompletedProcess[str]:
        """What nginx says about its configuration, without starting."""
        asked = [*self.command(), "-t"]
        return subprocess.run(asked, capture_output=True, text=True, check=False)
