"""The game record: one JSON object a game (RECORD.md), written and read."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.events import Event, event_dict, event_json, parse_event
from royalcrypt.notation.reasons import HEAD, Reason, Refusal

FORMAT = "royalcrypt-record"
VERSION = 1
RULES = "1.0"
LONGEST_VERSION = 20
"""Of other rules, as far as it is told back."""
EXTRAS = ("viewer", "fairness", "chance", "secret", "moves")


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    kind: str = "human"


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game. ``extra`` holds what only some records have: fairness, chance, secret, viewer."""

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
    """Shows a record as HTML; ``royalcrypt.play`` lends it the words."""

    def _repr_html_(self) -> str:
        return Record.sheet(self)

    def to_dict(self) -> dict[str, Any]:
        found = self._head()
        found["events"] = [event_dict(event, n) for n, event in enumerate(self.events)]
        if self.result is not None:
            found["result"] = self.result
        return found

    def _head(self) -> dict[str, Any]:
        """All that stands before the events."""
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
        """``to_dict`` in one line."""
        events = b",".join([event_json(event, n) for n, event in enumerate(self.events)]).decode("ascii")
        result = "" if self.result is None else f',"result":{_one_line(self.result)}'
        return f'{_one_line(self._head())[:-1]},"events":[{events}]{result}}}'

    @classmethod
    def parse(cls, source: str | dict[str, Any]) -> "Record":
        """Read a record; what is wrong with a bad one is said by field."""
        found = _load(source)
        game = found.get("game")
        if not isinstance(game, dict):
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="game")
        game = cast("dict[str, Any]", game)
        players = game.get("players")
        if type(players) is not int or not 1 <= players <= 4:
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="players")
        if not is_sides(game.get("collectors")):
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="collectors")
        leader = game.get("leader")
        if type(leader) is not int or not 0 <= leader < players:
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="leader")
        mode = "solo" if players == 1 else "standard"
        if game.get("mode", mode) != mode:
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="mode")
        return cls(
            players=players,
            collectors=game["collectors"],
            leader=leader,
            seats=_seats(game.get("seats"), players),
            events=_events(found.get("events")),
            result=_result(found.get("result")),
            id=_text(game.get("id"), "id"),
            created=_text(game.get("created"), "created"),
            extra={name: found[name] for name in EXTRAS if name in found},
        )


def _one_line(found: dict[str, Any]) -> str:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _load(source: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(source, str):
        try:
            found: Any = json.loads(source)
        except (ValueError, RecursionError):  # also a number of more digits than Python reads
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    else:
        found = source
    if not isinstance(found, dict) or cast("dict[str, Any]", found).get("format") != FORMAT:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="format")
    found = cast("dict[str, Any]", found)
    version = found.get("version")
    if type(version) is not int:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="version")
    if version != VERSION:
        raise Refusal(Reason.WRONG_VERSION, found=version, needed=VERSION)
    rules = found.get("rules")
    if not isinstance(rules, str):
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="rules")
    if rules != RULES:
        said = json.dumps(rules)[:LONGEST_VERSION]
        raise Refusal(Reason.WRONG_RULES, found=said, needed=RULES)
    return found


def _text(found: Any, name: str) -> str | None:
    if found is not None and not isinstance(found, str):
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field=name)
    return found


def _seats(found: Any, players: int) -> tuple[Seat, ...]:
    if not isinstance(found, list) or len(cast("list[Any]", found)) != players:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="seats")
    seats: list[Seat] = []
    for seat in cast("list[Any]", found):
        if not isinstance(seat, dict):
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="seats")
        named = cast("dict[str, Any]", seat)
        name, kind = _text(named.get("name"), "name"), _text(named.get("kind"), "kind")
        if name is None or kind is None:
            raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="seats")
        seats.append(Seat(name, kind))
    return tuple(seats)


def _events(found: Any) -> tuple[Event, ...]:
    if not isinstance(found, list):
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="events")
    return tuple(parse_event(event, n) for n, event in enumerate(cast("list[Any]", found)))


def _result(found: Any) -> dict[str, Any] | None:
    if found is not None and not isinstance(found, dict):
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="result")
    return cast("dict[str, Any] | None", found)
