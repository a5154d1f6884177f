"""What a bot is: it gets a view and a budget, and answers with a move. It never sees a state."""

from dataclasses import dataclass
from math import inf
from typing import Protocol

from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thought one move may take.

    ``simulations`` decide how hard a bot thinks; ``seconds`` only cut it off. All its randomness derives from
    ``seed`` and the view, so that equal views under equal budgets get equal moves.
    """

    simulations: int = 1000
    seconds: float = inf
    seed: int = 0


class Bot(Protocol):
    @property
    def name(self) -> str: ...

    def choose(self, view: View, budget: Budget) -> Move:
        """One whole action for the seat whose view this is, when it is that seat's decision.

        After a peek, a mend or a take the same seat may have to choose again, then with a new view.
        """
        ...
