"""The game record: one JSON object per game (RECORD.md), with writer and parser."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, cast

import msgspec
from msgspec import Meta

from royalcrypt.notation.events import Event, event_dict, event_json, parse_event
from royalcrypt.notation.reasons import HEAD, Reason, Refusal

FORMAT = "royalcrypt-record"
VERSION = 1
RULES = "1.0"
LONGEST_VERSION = 20
"""The number of characters quoted of an unknown version."""
EXTRAS = ("viewer", "fairness", "chance", "secret", "moves")


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    kind: str = "human"


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game. ``extra`` contains the optional fields: fairness, chance, secret, viewer."""

    players: int
    collectors: str
    leader: int
    seats: tuple[Seat, ...]
    events: tuple[Event, ...]
    result: dict[str, Any] | None = None
    id: str | None = None
    created: str | None = None
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    sheet: ClassVar[Callable[["Record"], str]] = repr
    """Renders a record as HTML; ``royalcrypt.play`` replaces it with a function that has the texts."""

    def _repr_html_(self) -> str:
        return Record.sheet(self)

    def to_dict(self) -> dict[str, Any]:
        found = self._head()
        found["events"] = [event_dict(event, n) for n, event in enumerate(self.events)]
        if self.result is not None:
            found["result"] = self.result
        return found

    def _head(self) -> dict[str, Any]:
        """The part of the record before the events."""
        game: dict[str, Any] = {} if self.id is None else {"id": self.id}
        if self.created is not None:
            game["created"] = self.created
        game |= {
            "players": self.players,
            "mode": "solo" if self.players == 1 else "standard",
            "collectors": self.collectors,
            "leader": self.leader,
            "seats": [{"name": seat.name, "kind": seat.kind} for seat in self.seats],
        }
        found: dict[str, Any] = {"format": FORMAT, "version": VERSION, "rules": RULES, "game": game}
        return found | self.extra

    def to_json(self) -> str:
        """The record in one line of JSON."""
        events = b",".join([event_json(event, n) for n, event in enumerate(self.events)]).decode("ascii")
        result = "" if self.result is None else f',"result":{_one_line(self.result)}'
        return f'{_one_line(self._head())[:-1]},"events":[{events}]{result}}}'

    @classmethod
    def parse(cls, source: str | dict[str, Any]) -> "Record":
        """Parse a record; an invalid one is refused with the name of the bad field."""
        found = _load(source)
        try:
            head = msgspec.convert(found.get("game"), Head)
        except msgspec.ValidationError as error:
            *_, field = ("game", *re.findall(r"(?:\$.*\.|field `)(\w+)", str(error)))
            raise _unreadable(field) from None
        if head.leader >= head.players:
            raise _unreadable("leader")
        if head.mode not in (None, "solo" if head.players == 1 else "standard"):
            raise _unreadable("mode")
        if len(head.seats) != head.players:
            raise _unreadable("seats")
        events, result = found.get("events"), found.get("result")
        if not isinstance(events, list):
            raise _unreadable("events")
        if result is not None and not isinstance(result, dict):
            raise _unreadable("result")
        return cls(
            players=head.players,
            collectors=head.collectors,
            leader=head.leader,
            seats=tuple(Seat(seat.name, seat.kind) for seat in head.seats),
            events=tuple(parse_event(event, n) for n, event in enumerate(cast("list[Any]", events))),
            result=cast("dict[str, Any] | None", result),
            id=head.id,
            created=head.created,
            extra={name: found[name] for name in EXTRAS if name in found},
        )


class HeadSeat(msgspec.Struct):
    name: str
    kind: str


class Head(msgspec.Struct):
    """The ``game`` field of a record."""

    players: Annotated[int, Meta(ge=1, le=4)]
    collectors: Annotated[str, Meta(pattern=r"^[AB]{6}\Z")]
    leader: Annotated[int, Meta(ge=0)]
    seats: list[HeadSeat]
    mode: str | None = None
    id: str | None = None
    created: str | None = None


def _unreadable(field: str) -> Refusal:
    return Refusal(Reason.NOT_A_RECORD, n=HEAD, field=field)


def _one_line(found: dict[str, Any]) -> str:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _load(source: str | dict[str, Any]) -> dict[str, Any]:
    """Load a record; refuses other formats, versions or rules."""
    found: Any = source
    if isinstance(source, str):
        try:
            found = json.loads(source)
        except (ValueError, RecursionError):  # also a number of more digits than Python reads
            raise _unreadable("JSON") from None
    if not isinstance(found, dict) or cast("dict[str, Any]", found).get("format") != FORMAT:
        raise _unreadable("format")
    found = cast("dict[str, Any]", found)
    if type(found.get("version")) is not int:
        raise _unreadable("version")
    if found["version"] != VERSION:
        raise Refusal(Reason.WRONG_VERSION, found=found["version"], needed=VERSION)
    rules = found.get("rules")
    if not isinstance(rules, str):
        raise _unreadable("rules")
    if rules != RULES:
        raise Refusal(Reason.WRONG_RULES, found=json.dumps(rules)[:LONGEST_VERSION], needed=RULES)
    return found
