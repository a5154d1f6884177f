"""Messages that a browser would never send, and some that it would, as Hypothesis strategies.

What depends on the moment is left open (``Now``) and filled in when a message is sent.
"""

from enum import Enum
from typing import Any

import msgspec
from hypothesis import strategies as st

from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH, Act, Follow, Ping, React, Say, Unwatch, Watch

Draw = st.DrawFn
Template = dict[str, Any]


class Now(Enum):
    """Caller only when the message is sent."""

    MINE = "the table where the sender plays"
    THEIRS = "a table of others, without its link"
    OVER = "a table where the sender has played"
    PLY = "the ply"
    BEFORE = "the ply before"
    AFTER = "the next ply"
    NUMBER = "the next number for a message"


class Legal(msgspec.Struct, frozen=True):
    """A legal move at the sender's table; which one, this number decides."""

    choice: int
    ply: Now


COMMANDS = (Watch, Unwatch, Act, Say, React, Follow, Ping)
TABLES = st.sampled_from([Now.MINE] * 6 + [Now.THEIRS, Now.OVER, "nosuchtable", "", "\n", "../../etc"])
PLIES = st.sampled_from([Now.PLY] * 4 + [Now.BEFORE, Now.AFTER, 0, 3, 10**6])
NUMBERS = st.sampled_from([Now.NUMBER] * 9 + [None])
WATCHED = st.sampled_from([0, 5, 10**6])
BY_NAME = {"table": TABLES, "ply": PLIES, "since": WATCHED, "id": NUMBERS}

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([2**31, 2**53, 2**63, 2**64, -(2**63) - 1, 10**400, 1e300, -0.0, 0.5])
    | st.text(max_size=20)
    | st.sampled_from(["act", "claim", "recover", "AAAAAA", "\ud800", "\u202e", "\0", "🏺" * 50])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=5,
)


def values_of(info: Any) -> st.SearchStrategy[Any]:
    """Values that a type of the wire allows, as they are before they are written."""
    match info:
        case msgspec.inspect.StructType():
            return fields_of(info)
        case msgspec.inspect.UnionType(types=types):
            return st.one_of(*map(values_of, types))
        case msgspec.inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return st.lists(values_of(item), min_size=least or 0, max_size=most)
        case msgspec.inspect.IntType(ge=least, le=most):
            return st.integers(least, most)
        case msgspec.inspect.EnumType(cls=cls):
            return st.sampled_from([member.value for member in cls])
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case msgspec.inspect.StrType(max_length=most):
            return st.text(max_size=min(most or 40, 400))
        case msgspec.inspect.BoolType():
            return st.booleans()
        case _:
            return st.none()


def fields_of(info: msgspec.inspect.StructType) -> st.SearchStrategy[Template]:
    needed = {field.name: field_of(field) for field in info.fields if field.required}
    others = {field.name: field_of(field) for field in info.fields if not field.required}
    tag = {} if info.tag_field is None else {info.tag_field: st.just(info.tag)}
    numbered = {"id": others.pop("id")} if "id" in others else {}
    return st.fixed_dictionaries(tag | needed | numbered, optional=others)


def field_of(field: msgspec.inspect.Field) -> st.SearchStrategy[Any]:
    return BY_NAME[field.name] if field.name in BY_NAME else values_of(field.type)


WELL_FORMED = st.one_of(*(values_of(msgspec.inspect.type_info(command)) for command in COMMANDS))


@st.composite
def damaged(draw: Draw) -> Template:
    """A command of which some fields are missing, strange or too many."""
    command = dict(draw(WELL_FORMED))
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from([*command, "extra"]))
        if draw(st.booleans()):
            command.pop(name, None)
        else:
            command[name] = draw(JSON)
    return command


class Garbled(msgspec.Struct, frozen=True):
    """A command that is damaged when it is written: cut, doubled, or with other signs in it."""

    command: Template
    at: float
    removed: int
    put: str

    def of(self, text: str) -> str:
        at = round(self.at * len(text))
        return text[:at] + self.put + text[at + self.removed :]


def garbled() -> st.SearchStrategy[Garbled]:
    put = st.sampled_from(["", '"', "}", "\\", "\x00", "\\ud800", "1e999", "NaN", "{}"]) | st.text(max_size=5)
    return st.builds(
        Garbled, WELL_FORMED, at=st.floats(0, 1), removed=st.sampled_from([0, 1, 10**6]), put=put
    )


class Repeated(msgspec.Struct, frozen=True):
    """Much of the same."""

    begin: str
    times: int
    end: str

    def __str__(self) -> str:
        return self.begin * self.times + self.end * self.times


OPENED = st.sampled_from(
    ["[", '{"a":', '{"type":"act","actions":[', '{"id":', "🏺", " ", "1", '{"type":"ping"}']
)
REPEATED = st.builds(Repeated, OPENED, st.integers(1, 9000), st.sampled_from(["", "]", "}"]))
RAW = st.text(max_size=60) | REPEATED
BINARY = st.binary(max_size=80)
LEGAL = st.builds(Legal, st.integers(0, 10**6), ply=st.sampled_from([Now.PLY] * 8 + [Now.BEFORE, Now.AFTER]))
PARTS = [WELL_FORMED] * 8 + [LEGAL] * 4 + [damaged()] * 6 + [garbled()] * 4 + [JSON, JSON, RAW, RAW, BINARY]
MESSAGES = st.integers(0, len(PARTS) - 1).flatmap(lambda kind: PARTS[kind])


class Fatal(msgspec.Struct, frozen=True):
    """What no socket survives, and the code with which it is closed."""

    parts: tuple[bytes, ...]
    code: int
    is_frame: bool = True


FATAL: st.SearchStrategy[Fatal | None] = st.sampled_from(
    [
        *([None] * 15),
        Fatal((b"x" * (MAX_MESSAGE_LENGTH + 1),), 1009),
        Fatal((b"x" * 10_000, b"y" * 10_000), 1009),
        Fatal((b'{"type": "ping", "id": "\xff\xfe"}',), 1007),
        Fatal((b'{"type": "say", "text": "\xed\xa0\x80"}',), 1007),
        Fatal((b"\xff\xff\xff\xff",), 1002, is_frame=False),
    ]
)
