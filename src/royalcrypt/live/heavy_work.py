"""Work that keeps a processor busy for more than a few milliseconds."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class HeavyWork(Protocol):
    """Runs functions beside the event loop, where that is possible."""

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


class DirectWork:
    """Implements ``HeavyWork`` on the event loop, for a process that serves one person."""

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)


class Requester(NamedTuple):
    """Who asks for work: an address, and the person if somebody with an account asks."""

    address: str
    person: str | None


class WorkSlots(Protocol):
    def slot(self, requester: Requester) -> AbstractAsyncContextManager[None]:
        """Wait for a slot, and hold it; raises Refusal if too many wait."""
        ...


class NoQueue:
    """Implements ``WorkSlots`` for a process that serves one person."""

    def slot(self, requester: Requester) -> AbstractAsyncContextManager[None]:  # noqa: ARG002
        return nullcontext()


class SharedWork(NamedTuple):
    """Heavy work, and the slots for kinds of it that everybody shares."""

    work: HeavyWork
    replays: WorkSlots = NoQueue()
    """Also for reading records."""
    lines: WorkSlots = NoQueue()
