"""Ratings of people from their games (Plackett-Luce, two to four players)."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PROVISIONAL = 10
"""Games after which a rating is no longer provisional."""
BEGINNING, STEP = 1000, 20
"""The rating that is shown for a newcomer, and how much one point of strength adds."""
CAUTION = 3.0
"""Standard deviations that are subtracted from the expected strength before it is shown."""


class Skill(NamedTuple):
    """Expected strength, and its standard deviation."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """The rating that is shown: 1000 for a newcomer, about 1400 for an average regular player."""
        return round(BEGINNING + STEP * (self.mu - CAUTION * self.sigma))


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # noqa: PLC0415 (slow to import)

    return PlackettLuce()


def after_game(before: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Everybody's skill after a game with these places. Equal places are ties."""
    model = _model()
    teams = [[model.rating(mu=skill.mu, sigma=skill.sigma)] for skill in before]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(float(team[0].mu), float(team[0].sigma)) for team in rated]
