"""The table of ``docs/perft.md``, counted anew by the engine and by the oracle."""

import pytest

from tests.golden.perft import DOCUMENT, SECRET, Position, perft, read_positions
from tests.oracle.perft import perft as oracle_perft

POSITIONS = read_positions(DOCUMENT.read_text("utf-8"))
ENTRIES = [(position, depth) for position in POSITIONS for depth in range(1, len(position.counts) + 1)]
MOST_FOR_THE_ORACLE = 6000
FEW = [(position, depth) for position, depth in ENTRIES if position.counts[depth - 1] <= MOST_FOR_THE_ORACLE]


def test_the_table_has_all_player_counts_and_positions_of_every_window() -> None:
    starts = {(position.players, position.sides) for position in POSITIONS if not position.moves}
    assert starts == {(players, sides) for players in (1, 2, 3, 4) for sides in ("AAAAAA", "BABBAB")}
    assert len([position for position in POSITIONS if position.moves]) >= 5
    assert len(FEW) >= 25


@pytest.mark.parametrize(("position", "depth"), ENTRIES, ids=str)
def test_the_engine_finds_as_many_lines_as_the_table_says(position: Position, depth: int) -> None:
    assert perft(position.state(), depth, position.players) == position.counts[depth - 1]


@pytest.mark.parametrize(("position", "depth"), FEW, ids=str)
def test_the_oracle_finds_as_many_lines_as_the_table_says(position: Position, depth: int) -> None:
    assert oracle_perft(position.oracle(), depth, SECRET, position.entropy) == position.counts[depth - 1]
