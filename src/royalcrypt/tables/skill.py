"""How strong people are, as far as their games among themselves tell (Plackett-Luce, two to four at once)."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PROVISIONAL = 10
"""Games until a rating means something."""
BEGINNING, STEP = 1000, 20
"""The number that a newcomer is shown, and how much a point of strength adds to it."""
CAUTION = 3.0
"""Shown is what somebody's strength surely exceeds: so many deviations below what is expected."""


class Skill(NamedTuple):
    """What is expected of somebody, and how uncertain that is."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """As a number people like to read: 1000 for a newcomer, some 1400 for an average regular."""
        return round(BEGINNING + STEP * (self.mu - CAUTION * self.sigma))


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # noqa: PLC0415 (only whoever rates needs it)

    return PlackettLuce()


def after_game(before: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Everybody's skill once a game has ended with these places; shared places are shared."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
