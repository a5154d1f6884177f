"""What reads bytes from strangers: each target is fed anything, and may refuse it with a reason.

A target raises nothing but the refusals that its callers expect; anything else is a fault. What was
understood is written and read again, which must give the same.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from royalcrypt.live.operations.duplicates import NewDuplicate
from royalcrypt.live.operations.history import read_moment
from royalcrypt.live.operations.notes import NewMemo
from royalcrypt.live.operations.orders import NewOrders
from royalcrypt.live.operations.records import read_record
from royalcrypt.live.operations.replays import replay_json
from royalcrypt.live.operations.what_if import exploration_of, line_json
from royalcrypt.live.session import id_in, read_command
from royalcrypt.live.wire.commands import Act, unreadable
from royalcrypt.live.wire.finished_games import LineOfRecord
from royalcrypt.live.wire.tables import BotSitting, NewTable, Sitting
from royalcrypt.locales import language_in
from royalcrypt.notation.moves import Move
from royalcrypt.notation.positions import parse_position, position_text
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.playback import Viewer
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.server.accounts.recovery_phrases import phrase_of, secret_in
from royalcrypt.server.http.history import MOMENT
from royalcrypt.server.http.security import is_cross_site, is_impossible_path, origin_of
from royalcrypt.server.http.static_files import FILES, is_page, negotiate
from royalcrypt.server.mail.texts import Links
from royalcrypt.tables.seals import is_day
from royalcrypt.tables.settings import check_settings
from royalcrypt.tables.texts import clean_chat, clean_memo, clean_name

Target = Callable[[bytes], object]
SEEDS = Path(__file__).parent / "seeds"

MAX_BYTES = 20_000
"""Longer inputs are not tried: they take more time, and find nothing that shorter ones do not."""
TARGETS: dict[str, Target] = {}


def target(function: Target) -> Target:
    """Named like its function, and so is the folder of its seeds."""

    def fed(data: bytes) -> None:
        if len(data) > MAX_BYTES:
            return
        try:
            function(data)
        except Refusal as refusal:
            words = str(refusal)
        else:
            words = "understood"
        assert words, "a refusal without words"

    TARGETS[function.__name__] = fed
    return fed


def text_of(data: bytes) -> str:
    """Also with lone surrogates, which JSON can have."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


@target
def commands(data: bytes) -> None:
    """A message of a socket."""
    text = text_of(data)
    number = id_in(text)
    assert number is None or number >= 0
    command = read_command(text)
    again = read_command(msgspec.json.encode(command).decode())
    assert again == command
    if isinstance(command, Act):
        move = command.move()
        assert Move.parse(str(move)) == move


BODIES: tuple[Any, ...] = (NewTable, Sitting, BotSitting, NewOrders, NewDuplicate, NewMemo, LineOfRecord)


@target
def bodies(data: bytes) -> None:
    """A body of REST; its first byte chooses the route."""
    if not data:
        return
    kind = BODIES[data[0] % len(BODIES)]
    try:
        found = msgspec.json.decode(data[1:], type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable(error) from None
    assert msgspec.json.decode(msgspec.json.encode(found), type=kind) == found
    if isinstance(found, NewTable | NewDuplicate):
        check_settings(found.settings)
    elif isinstance(found, NewOrders):
        found.given()


@target
def moves(data: bytes) -> None:
    move = Move.parse(text_of(data))
    assert Move.parse(str(move)) == move


@target
def positions(data: bytes) -> None:
    text = position_text(parse_position(text_of(data)))
    assert position_text(parse_position(text)) == text


def loaded(data: bytes) -> dict[str, Any]:
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]


VIEWERS: tuple[Viewer, ...] = ("all", "spectator", 0, 1, 2, 3)


@target
def records(data: bytes) -> None:
    """A record that somebody uploads to see it replayed."""
    record = read_record(loaded(data))
    replay_json(record, VIEWERS[len(data) % len(VIEWERS)])


RECORDS = Path(__file__).parents[1] / "golden/records"
GOLDEN = [path.read_bytes() for path in sorted(RECORDS.glob("*.json"))]
STRANGE: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        -1,
        99,
        2**63,
        1.5,
        "",
        "?",
        "I1",
        "T4",
        "R?",
        "M",
        "Z9",
        "3",
    ),
    *([], {}, [0], [1, 2, 3], ["I1", "J2"], {"0": [1]}, "reveal", "claim", "take", "end", "\0", "\ud800"),
)


@target
def edits(data: bytes) -> None:
    """A golden record with some values changed: the first byte chooses the record, then three are a change.

    Changed text would hardly ever be a record still.
    """
    if not data:
        return
    found: Any = json.loads(GOLDEN[data[0] % len(GOLDEN)])
    for where, which, what in zip(data[1::3], data[2::3], data[3::3], strict=False):
        places = list(places_in(found))
        holder, key = places[(where << 8 | which) % len(places)]
        match what % 8:
            case 0:
                del holder[key]
            case 1 if type(holder) is list:
                holder[key:key] = [holder[what % len(holder)]]  # pyright: ignore[reportUnknownArgumentType]
            case 2 if type(holder) is list:
                holder[key:] = []
            case _:
                holder[key] = STRANGE[what // 8 % len(STRANGE)]
        if not found:
            return
    record = read_record(found)
    replay_json(record, VIEWERS[len(data) % len(VIEWERS)])


def places_in(found: Any) -> Iterator[tuple[Any, Any]]:
    """Each value, as what holds it and where."""
    keys: list[Any] = list(found.keys() if hasattr(found, "keys") else range(len(found)))
    for key in keys:
        yield found, key
        if isinstance(found[key], list | dict):
            yield from places_in(found[key])


@target
def lines(data: bytes) -> None:
    """A line that somebody tries out in an uploaded record."""
    try:
        asked = msgspec.json.decode(data, type=LineOfRecord)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise unreadable(error) from None
    line_json(exploration_of(read_record(asked.record), asked), asked)


class NoPeople:
    """Knows nobody; that a cookie got so far means that it was signed."""

    async def is_device_valid(self, person: str, device: str) -> bool:
        raise AssertionError(f"forged: {person} {device}")


KEYS = ServerKeys(bytes(32), "0")
IDENTITIES = Identities(NoPeople(), KEYS, is_secure=False, now=lambda: 0)  # type: ignore[arg-type]
LINKS = Links(KEYS, "http://crypt.example")


@target
def credentials(data: bytes) -> None:
    """A cookie, the key of a link in an e-mail, and a recovery phrase."""
    text = text_of(data)
    assert asyncio.run(IDENTITIES.identify(text)) is None
    assert LINKS.key_in("confirm", text) is None
    assert LINKS.key_in("stop", text) is None
    secret = secret_in(text)
    assert secret_in(phrase_of(secret)) == secret


@target
def headers(data: bytes) -> None:
    """Headers and paths, as latin-1, which is what HTTP gives."""
    text = data.decode("latin-1")
    names = (b"origin", b"host", b"sec-fetch-site")
    given: Mapping[bytes, bytes] = dict(zip(names, data.split(b"\n"), strict=False))
    for public_url in (None, "https://crypt.example"):
        is_cross_site(given, public_url)
    origin_of(text)
    is_impossible_path(text)
    is_page(text, text)
    language_in(text)
    for file in list(FILES.values())[:1]:
        negotiate(file, text)


@target
def texts(data: bytes) -> None:
    """What people write; what was cleaned is clean."""
    text = text_of(data)
    is_day(text)
    for clean in (clean_memo, clean_name, clean_chat):
        cleaned = clean(text)
        assert clean(cleaned) == cleaned
        cleaned.encode()


@target
def pages(data: bytes) -> None:
    """Where a page of the history begins, after the route has checked its form."""
    text = data.decode("latin-1")
    if re.match(MOMENT, text):
        read_moment(text)
