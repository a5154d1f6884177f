"""Server settings, in ascending precedence: defaults, file, environment, command line."""

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from email.utils import formataddr, getaddresses
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Detail, Reason, Refusal

PREFIX = "ROYALCRYPT_"
CONFIG = "config"
FILE = "royalcrypt.toml"
DATABASE = "royalcrypt.db"
NOT_SETTINGS = {"ROYALCRYPT_CONFIG", "ROYALCRYPT_CACHE_DIR", "ROYALCRYPT_TOKEN"}
"""Environment variables with our prefix that are not server settings."""
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 (requested by --lan)
MAX_WORKERS = 8
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
"""Pattern of an ASCII e-mail address."""


def default_folder() -> Path:
    """Return the user's data folder for games, keys and saves."""
    from platformdirs import user_data_path  # noqa: PLC0415 (rarely needed)

    return user_data_path("royalcrypt", appauthor=False)


def default_workers() -> int:
    """Return the default number of bot processes: all cores but one, which serves the tables."""
    return min(MAX_WORKERS, max(1, (os.cpu_count() or 1) - 1))


Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Line = Annotated[str, Meta(min_length=1, max_length=320, pattern=r"^[^\x00-\x1f\x7f]+$(?!\n)")]
SECRETS = {"channel", "database", "smtp_password"}
"""Settings whose values error messages never show; URLs may contain passwords."""
POSTGRES = ("postgresql", "postgres")
REDIS = ("redis", "rediss", "valkey", "valkeys")
REQUIRED_SETTINGS = {
    "channel": ("database",),
    "gather": ("channel",),
    "smtp_host": ("smtp_from", "public_url"),
    "smtp_from": ("smtp_host",),
    "smtp_user": ("smtp_password", "smtp_host"),
    "smtp_password": ("smtp_user",),
}
"""Settings that need others: e-mail needs a sender and a public URL, a channel needs a shared database, and
``gather`` needs a channel."""


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, rename={"is_lan": "lan"}):
    """All settings with their defaults; ``locales`` and ``docs/hosting.md`` describe them."""

    host: Annotated[str, Meta(min_length=1, max_length=255)] = LOOPBACK
    port: Annotated[int, Meta(ge=0, le=65535)] = 8642
    is_lan: bool = False
    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    data: Path = msgspec.field(default_factory=default_folder)
    database: str | None = None
    channel: str | None = None
    gather: bool = False
    bot_pause: Annotated[float, Meta(ge=0, le=30)] = 0.9
    bot_workers: Annotated[int, Meta(ge=1, le=64)] = msgspec.field(default_factory=default_workers)
    compiled_bots: bool = True
    max_connections: Count = 10_000
    max_connections_per_address: Count = 200
    max_tables: Count = 10_000
    max_tables_per_person: Count = 50
    rate_limits: bool = True
    longest_idle_days: Annotated[int, Meta(ge=1, le=36_500)] = 30
    backups_kept: Annotated[int, Meta(ge=0, le=1000)] = 7
    smtp_host: Annotated[str, Meta(pattern=r"^[^\s/]{1,255}$(?!\n)")] | None = None
    smtp_port: Annotated[int, Meta(ge=1, le=65535)] = 587
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: Line | None = None
    smtp_password: Line | None = None
    smtp_from: Line | None = None
    mail_after_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 10
    metrics: Literal["local", "public", "off"] = "local"
    log_format: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    access_log: bool = False

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in self.__struct_fields__ if name not in SECRETS}
        return f"ServerSettings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    @property
    def address(self) -> str:
        """The address to listen on; with ``lan``, all addresses unless one was set."""
        return EVERYWHERE if self.is_lan and self.host == LOOPBACK else self.host

    @property
    def is_secure(self) -> bool:
        """Whether browsers use HTTPS, so that cookies must be marked secure."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def database_file(self) -> Path:
        """Path of the SQLite file, which is used unless a PostgreSQL database is set."""
        return self.data / DATABASE


SETTINGS = {field.encode_name: field for field in msgspec.structs.fields(ServerSettings)}
"""Maps each setting's external name to its field."""


class LoadedSettings(NamedTuple):
    settings: ServerSettings
    given: frozenset[str]
    """Names of the settings that were set explicitly."""


def read_settings(
    options: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    required: Mapping[str, tuple[str, ...]] = REQUIRED_SETTINGS,
) -> LoadedSettings:
    """Read the effective settings; ``options`` come from the command line, where None means not given.

    Raises Refusal with the source of an invalid setting and the expected value.
    """
    stated = {name: value for name, value in (options or {}).items() if value is not None}
    named = os.environ if environment is None else environment
    chosen: dict[str, Any] = {}
    for name, text in _variables(named).items():
        chosen[name] = _read(name, text, where=PREFIX + name.upper(), is_text=True)
    config = stated.pop(CONFIG, None) or named.get(PREFIX + CONFIG.upper())
    for name, value in stated.items():
        chosen[name] = _read(name, value, where="--" + name.replace("_", "-"), is_text=True)
    if config:
        found = _read_file(Path(config).expanduser())
    else:
        found = _read_file_of(chosen.get("data") or default_folder())
    chosen = found | chosen
    for name, others in required.items():
        for other in others:
            if chosen.get(name) and not chosen.get(other):
                raise Refusal(Reason.MISSING_SETTING, name=name, companion=other)
    return LoadedSettings(msgspec.convert(chosen, ServerSettings, dec_hook=_keep), frozenset(chosen))


def _keep(_: type, value: Any) -> Any:
    return value


def read_setting(name: str, text: str, *, where: str) -> Any:
    """Convert the text of one setting to its value; ``where`` names the source in errors."""
    return _read(name, text, where=where, is_text=True)


def data_folder() -> Path:
    """Return the data folder, for commands that need no other setting."""
    text = os.environ.get(PREFIX + "DATA")
    return _folder(text, Path.cwd()) if text else default_folder()


def _variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings in environment variables; empty variables are ignored."""
    found: dict[str, str] = {}
    for variable, text in environment.items():
        if variable.startswith(PREFIX) and variable not in NOT_SETTINGS and text:
            name = variable.removeprefix(PREFIX).lower()
            if name not in SETTINGS:
                raise _unknown(say("settings.environment"), variable, lambda name: PREFIX + name.upper())
            found[name] = text
    return found


def _read_file_of(data: Path) -> dict[str, Any]:
    """Read the settings file in the data folder, if any; it must not set the data folder."""
    path = data / FILE
    if not path.exists():
        return {}
    found = _read_file(path)
    if "data" in found:
        raise Refusal(Reason.MISPLACED_SETTING, where=str(path), name="data")
    return found


def _read_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=str(path), why=error.strerror or str(error)) from None
    except (ValueError, RecursionError) as error:
        raise Refusal(Reason.NOT_TOML, file=str(path), why=_in_one_line(error)) from None
    for name in found:
        if name not in SETTINGS:
            raise _unknown(str(path), name, str)
    return {
        name: _read(name, value, where=str(path), beside=path.absolute().parent)
        for name, value in found.items()
    }


def _in_one_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__


def _unknown(where: str, name: str, spelled: Callable[[str], str]) -> Refusal:
    known = [spelled(setting) for setting in SETTINGS]
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0)[0]
    return Refusal(Reason.UNKNOWN_SETTING, where=where, name=name, nearest=nearest)


def _read(name: str, value: Any, *, where: str, is_text: bool = False, beside: Path | None = None) -> Any:
    """Convert and validate one value; ``is_text`` marks sources without types, such as variables."""
    field = SETTINGS[name]
    given = value
    try:
        if name == "data":
            return _folder(value, beside or Path.cwd())
        if name == "trusted_proxies":
            given = _parts(value) if is_text else value
            return [_network(text) for text in msgspec.convert(given, field.type)]
        if name == "public_url":
            return _url(msgspec.convert(value, str))
        if name in ("database", "channel"):
            return _service(msgspec.convert(value, str), POSTGRES if name == "database" else REDIS)
        if name == "smtp_from":
            return _sender(msgspec.convert(value, field.type))
        found = msgspec.convert(value, field.type, strict=not is_text)
    except ValueError:  # includes msgspec.ValidationError
        shown = "…" if name in SECRETS else _shown(value)
        raise Refusal(Reason.WRONG_SETTING, where=where, name=name, found=shown, **needed(name)) from None
    return found


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
    return text if len(text) <= 100 else text[:100] + "…"


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _network(text: str) -> str:
    """Validate an IP address or a network such as 10.0.0.0/8."""
    network = ip_network(text, strict=False)
    return str(network) if "/" in text else text


def _folder(text: Any, beside: Path) -> Path:
    path = Path(msgspec.convert(text if not isinstance(text, Path) else str(text), str))
    if not str(text) or "\0" in str(text):
        raise ValueError
    return beside / path.expanduser()


def _url(text: str) -> str:
    """Validate a URL of scheme, host and optional port; paths are not supported."""
    parts = urlsplit(text)
    is_whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    if not is_whole or parts.username or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError
    return f"{parts.scheme}://{parts.netloc}"


def _service(text: str, schemes: tuple[str, ...]) -> str:
    """Validate the URL of a database or channel, which must name a host or, in its query, a socket.

    A database may have several hosts, one of which accepts writes.
    """
    parts = urlsplit(text)
    hosts = parts.netloc.rpartition("@")[2]
    each = [urlsplit(f"//{host}") for host in (hosts.split(",") if schemes == POSTGRES else [hosts])]
    is_named = all(host.hostname for host in each) or (parts.query and not hosts)
    if parts.scheme not in schemes or not is_named or any(host.port == 0 for host in each):
        raise ValueError
    return text


def _sender(text: str) -> str:
    """Normalise a sender address with or without a name, such as Royal Crypt <crypt@example.org>."""
    found = getaddresses([text])
    if len(found) != 1 or not ADDRESS.fullmatch(found[0][1]):
        raise ValueError
    return formataddr(found[0])


def needed(name: str) -> dict[str, Detail]:
    """Return the details of a refusal that say which values a setting accepts."""
    info = msgspec.inspect.type_info(SETTINGS[name].type)
    match info:
        case msgspec.inspect.BoolType():
            return {"needed": "switch"}
        case msgspec.inspect.IntType(ge=least, le=most):
            return {"needed": "whole", "least": least or 0, "most": most or 0}
        case msgspec.inspect.FloatType(ge=least, le=most):
            return {"needed": "number", "least": f"{least:g}", "most": f"{most:g}"}
        case msgspec.inspect.LiteralType(values=values):
            return {"needed": "one_of", "values": ", ".join(map(str, values))}
        case _:
            return {"needed": name}
