"""Work that keeps a processor busy for more than a few milliseconds."""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class HeavyWork(Protocol):
    """Runs functions beside the event loop, where that is possible."""

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


class DirectWork:
    """Implements ``HeavyWork`` on the event loop, for a process that serves one person."""

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)
