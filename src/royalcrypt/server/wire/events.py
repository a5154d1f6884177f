"""The events of RECORD.md as types, made from their declarations: for the schema and for readers in tests."""

from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec.structs import fields

from royalcrypt.notation.events import KINDS, Cards, CardsBySeat, DeckTop, Event, Faces, FacesBySeat, Places
from royalcrypt.notation.moves import Whole
from royalcrypt.server.wire.commands import WirePlacement

AS_WRITTEN: dict[Any, Any] = {
    Whole: int,
    DeckTop: str | None,
    Cards: list[str],
    Faces: list[int],
    Places: list[WirePlacement],
    CardsBySeat: dict[str, list[str]],
    FacesBySeat: dict[str, list[int]],
}


def _as_written(kind: type[Event]) -> Any:
    named = [(field.name, AS_WRITTEN.get(field.type, field.type)) for field in fields(kind)]
    return msgspec.defstruct(
        f"{kind.__name__}Event",
        [("n", int), *named],
        namespace={"__doc__": f"The event ``{kind.type}`` of RECORD.md; ``n`` counts from 0."},
        tag_field="type",
        tag=kind.type,
        kw_only=True,
    )


if TYPE_CHECKING:
    EventOnTheWire = dict[str, Any]
else:
    EventOnTheWire = Union[tuple(map(_as_written, KINDS.values()))]  # noqa: UP007 (of as many as there are)
