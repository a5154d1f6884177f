"""What may be set of a game, checked at the door."""

from typing import Any, NamedTuple

from royalcrypt.notation.cards import SIDES, is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import SEATS, TYPES, State, blank
from royalcrypt.rules.setup import set_up

NAME = "python_royal_crypt"
FEWEST = 2
WIN, MARGIN = "win", "margin"
RETURNS = (WIN, MARGIN)
DEFAULTS: dict[str, Any] = {"players": FEWEST, "collectors": "A" * TYPES, "leader": 0, "returns": WIN}


class Settings(NamedTuple):
    players: int
    collectors: str
    leader: int
    returns: str

    def start(self) -> State:
        """A game about to draw its first card."""
        state = blank()
        set_up(state, self.players, [SIDES.index(side) for side in self.collectors], self.leader)
        return state


def settings_from(parameters: dict[str, Any]) -> Settings:
    """Refuse, in one sentence, what nobody could play with."""
    found = Settings(**(DEFAULTS | parameters))
    _check_number("players", found.players, FEWEST, SEATS)
    _check_number("leader", found.leader, 0, found.players - 1)
    if not is_sides(found.collectors):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=found.collectors)
    if found.returns not in RETURNS:
        raise Refusal(
            Reason.WRONG_SETTING,
            where=NAME,
            name="returns",
            found=str(found.returns),
            needed="one_of",
            values=", ".join(RETURNS),
        )
    return found


def _check_number(name: str, found: int, least: int, most: int) -> None:
    if not least <= found <= most:
        raise Refusal(
            Reason.WRONG_SETTING,
            where=NAME,
            name=name,
            found=str(found),
            needed="whole",
            least=least,
            most=most,
        )
