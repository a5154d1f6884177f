"""Exponential back-off for retries."""


class Backoff:
    """Pauses that double from ``shortest`` up to ``longest``, in any unit that the caller chooses."""

    def __init__(self, shortest: float, longest: float) -> None:
        self._shortest = shortest
        self._longest = longest
        self.pause = shortest
        """Length of the next pause."""

    def next(self) -> float:
        pause, self.pause = self.pause, min(2 * self.pause, self._longest)
        return pause

    def reset(self) -> None:
        self.pause = self._shortest
