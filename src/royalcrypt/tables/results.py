"""What came of a table's game, seat by seat."""

from royalcrypt.tables.journal import SeatResult
from royalcrypt.tables.table import Table


def results_of(table: Table) -> tuple[SeatResult, ...]:
    """None before the game is over; the Ghost does not count (R10.8)."""
    game = table.game
    result = None if game is None else game.result()
    if game is None or result is None:
        return ()
    return tuple(
        SeatResult(
            seat=seat,
            person=place.person,
            kind=place.kind,
            players=game.players,
            collectors=game.collectors,
            score=result["scores"][seat],
            place=result["places"][seat],
            is_winner=seat in result["winners"],
        )
        for seat, place in enumerate(table.seats)
    )
