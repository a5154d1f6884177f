"""The result of a finished game, as RECORD.md writes it."""

from typing import Any

from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.play.event_builder import scores, winners
from royalcrypt.rules.layout import TYPES, State
from royalcrypt.rules.scoring import bonus, place_of, scoring_seats, treasure

RANKS = ((50, "magnificent"), (40, "affluent"), (30, "petty"), (0, "fool"))
"""The titles with the least score for each (R10.7)."""


def title_of(score: int) -> str:
    return next(rank for least, rank in RANKS if score >= least)


def result_of(state: State) -> dict[str, Any]:
    """Scores, breakdown, places, winners and title of a finished game."""
    seats = range(scoring_seats(state))
    return {
        "scores": list(scores(state)),
        "breakdown": [
            {
                "treasure": treasure(state, seat),
                "collectors": {TYPE_NAMES[kind]: bonus(state, seat, kind) for kind in range(TYPES)},
                "servants": state.players[seat].ready,
            }
            for seat in seats
        ],
        "places": [place_of(state, seat) for seat in seats],
        "winners": list(winners(state)),
        "title": title_of(scores(state)[0]) if state.is_solo else None,
    }
