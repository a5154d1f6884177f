"""An update after a move, of which most is the same for all readers."""

from typing import NamedTuple

from royalcrypt.server.wire.messages import Tick, Update, encode_message, written

NOTHING = written(b"")
GAP = b'"events":,"view":'
"""Where both are missing. No text on the wire reads like this: in it, quotes would be escaped."""


class Frame(NamedTuple):
    """What stands before the events, and after the view."""

    before: bytes
    after: bytes

    @classmethod
    def of(cls, table: str, ply: int, *, clock: Tick | None, by_bot: bool, re: int | None) -> "Frame":
        update = Update(table=table, ply=ply, events=NOTHING, view=NOTHING, clock=clock, by_bot=by_bot, re=re)
        before, _, after = encode_message(update).partition(GAP)
        return cls(before, after)

    def around(self, events: bytes, view: bytes) -> bytes:
        """The whole update."""
        return b"".join((self.before, b'"events":', events, b',"view":', view, self.after))
