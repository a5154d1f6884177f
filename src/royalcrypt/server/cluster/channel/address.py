"""Where a Redis is, and under which names this community's keys and topics are there."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool


NEEDED = ("redis", "hiredis", "cryptography")


def must_have_redis() -> None:
    """Refuse a channel that nobody here could open."""
    if any(find_spec(name) is None for name in NEEDED):
        raise Refusal(Reason.NO_REDIS)


def pool_at(url: str, **options: Any) -> "ConnectionPool":
    """Connects to nothing yet. What the address says goes before ``options``."""
    must_have_redis()
    from redis import asyncio  # noqa: PLC0415 (an extra)

    library: Any = asyncio
    plain = "redis" + url.removeprefix("valkey") if url.startswith("valkey") else url
    try:
        pool = library.ConnectionPool.from_url(plain, **options)
        pool.make_connection()
    except (TypeError, ValueError):  # an option that there is not, or not so
        raise Refusal(
            Reason.WRONG_SETTING, where="redis", name="channel", found="…", needed="channel"
        ) from None
    return pool


def prefix_at(pool: "ConnectionPool") -> str:
    """Before every key and topic. Two communities on one Redis choose two numbers of databases; topics know
    nothing of these by themselves."""
    return f"royalcrypt:{pool.connection_kwargs.get('db', 0)}:"
