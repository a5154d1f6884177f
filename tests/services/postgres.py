"""A real PostgreSQL."""

import signal
import subprocess
from secrets import token_hex

from tests.services.processes import Service, program

USER = "royalcrypt"
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
"""For tests that take no power away."""


class Postgres(Service):
    name = "postgres"
    user = "postgres"

    def __init__(self, *, is_durable: bool = True, connections: int = 200) -> None:
        super().__init__()
        self.settings = [
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}",
            f"max_connections={connections}",
            *(() if is_durable else QUICK),
        ]
        self._run(*self.made())

    def made(self) -> tuple[str, ...]:
        """The command that fills the data folder."""
        return (
            *(program("initdb"), "-D", str(self.folder / "data"), "-U", USER, "-A", "trust"),
            *("-E", "UTF8", "--locale=C.UTF-8", "--no-sync"),
        )

    def _run(self, *command: str) -> None:
        """As whom the server runs."""
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
        )

    def command(self) -> list[str]:
        settings = [part for setting in self.settings for part in ("-c", setting)]
        return [program("postgres"), "-D", str(self.folder / "data"), "-p", str(self.port), *settings]

    def is_ready(self) -> bool:
        asked = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False).returncode == 0

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """As its own tools do it: whoever is connected is sent away."""
        super().stop(number)

    def execute(self, statement: str, database: str = "postgres") -> str:
        """What it answers, without a header."""
        asked = [
            program("psql"),
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            self.url(database),
            "-c",
            statement,
        ]
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()

    def new_database(self, template: str = "template1") -> str:
        """Its URL."""
        name = f"crypt_{token_hex(6)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")


class Standby(Postgres):
    """Follows another one, and takes its place when it is promoted."""

    name = "standby"

    def __init__(self, primary: Postgres) -> None:
        self.primary = primary
        super().__init__()

    def made(self) -> tuple[str, ...]:
        return (
            *(program("pg_basebackup"), "-D", str(self.folder / "data"), "-R", "--no-sync"),
            *("--checkpoint=fast", "-d", self.primary.url()),
        )

    def promote(self) -> None:
        """Returns once it takes writes."""
        self._run(program("pg_ctl"), "promote", "-D", str(self.folder / "data"), "-w")
