"""The parameters of a game, checked when it is loaded."""

from typing import Any, NamedTuple

from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import SEATS, TYPES

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


def settings_from(parameters: dict[str, Any]) -> SpielSettings:
    """Raise Refusal, with one sentence, for a parameter out of its range."""
    found = SpielSettings(**(DEFAULTS | parameters))
    details: dict[str, Any] = {"where": NAME}
    for name, number, least, most in (
        ("players", found.players, FEWEST, SEATS),
        ("leader", found.leader, 0, found.players - 1),
    ):
        if not least <= number <= most:
            details |= {"needed": "whole", "least": least, "most": most}
            raise Refusal(Reason.WRONG_SETTING, name=name, found=str(number), **details)
    if not is_sides(found.collectors):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=found.collectors)
    if found.returns not in RETURNS:
        details |= {"needed": "one_of", "values": ", ".join(RETURNS)}
        raise Refusal(Reason.WRONG_SETTING, name="returns", found=found.returns, **details)
    return found
