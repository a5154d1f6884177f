"""The parameters of a game, checked when it is loaded."""

from typing import Any, NamedTuple

from royalcrypt.notation.cards import SIDES, is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import SEATS, TYPES, State, blank
from royalcrypt.rules.reveal import set_up

NAME = "python_royal_crypt"
FEWEST = 2
WIN, MARGIN = "win", "margin"
RETURNS = (WIN, MARGIN)
DEFAULTS: dict[str, Any] = {"players": FEWEST, "collectors": "A" * TYPES, "leader": 0, "returns": WIN}


class SpielSettings(NamedTuple):
    players: int
    collectors: str
    leader: int
    returns: str

    def start(self) -> State:
        """The state before the first card is drawn."""
        state = blank()
        set_up(state, self.players, [SIDES.index(side) for side in self.collectors], self.leader)
        return state


def settings_from(parameters: dict[str, Any]) -> SpielSettings:
    """Raise Refusal, with one sentence, for a parameter out of its range."""
    found = SpielSettings(**(DEFAULTS | parameters))
    _check_number("players", found.players, FEWEST, SEATS)
    _check_number("leader", found.leader, 0, found.players - 1)
    if not is_sides(found.collectors):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=found.collectors)
    if found.returns not in RETURNS:
        raise _wrong("returns", found.returns, needed="one_of", values=", ".join(RETURNS))
    return found


def _check_number(name: str, found: int, least: int, most: int) -> None:
    if not least <= found <= most:
        raise _wrong(name, found, needed="whole", least=least, most=most)


def _wrong(name: str, found: object, **details: Any) -> Refusal:
    return Refusal(Reason.WRONG_SETTING, where=NAME, name=name, found=str(found), **details)
