"""Pauses between attempts to reach something that does not answer."""


class Backoff:
    """Each pause is twice as long as the one before, up to ``longest``; the caller chooses the unit."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self.pause = shortest
        """The next pause."""

    def next(self) -> float:
        pause, self.pause = self.pause, min(2 * self.pause, self._longest)
        return pause

    def reset(self) -> None:
        self.pause = self._shortest
