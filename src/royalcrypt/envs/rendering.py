"""A table to be looked at, as one seat sees it: nothing is shown that this seat may not know."""

from typing import Any

from royalcrypt.envs.telling import told
from royalcrypt.play.views import view_of
from royalcrypt.rules.layout import State


def rendered(state: State, seat: int, mode: str) -> Any:
    """Text for ``ansi``; for ``rgb_array`` a picture, height by width by three colours."""
    view = view_of(state, seat)
    if mode == "ansi":
        return told(view)
    from royalcrypt.envs.drawing import drawn  # noqa: PLC0415 (most who train never draw)

    return drawn(view)
