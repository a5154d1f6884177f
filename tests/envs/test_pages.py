"""The documentation of observations and actions equals the declarations."""

from pathlib import Path

from royalcrypt.envs.observations import SEAT, SLOT, TABLE, Field, layout_for
from royalcrypt.envs.wording import ACTION_NAMES
from royalcrypt.rules.actions import DECLINE, DONE, FLIP, MEND, PEEK, RECOVER, REROLL, TAKE

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gymnasium.md").read_text("utf-8")


def line_of(piece: Field, rows: str) -> str:
    width = str(piece.width) if piece.width > 1 or not rows else ""
    return f"| `{piece.name}` | {' × '.join(filter(None, (rows, width)))} | {piece.most} | {piece.meaning} |"


def test_the_documented_pieces_are_the_declared_ones() -> None:
    lines = [line_of(piece, "") for piece in TABLE]
    lines += [line_of(piece, "places") for piece in SLOT]
    lines += [line_of(piece, "seats") for piece in SEAT]
    assert "\n".join(lines) in PAGE


def test_the_documented_sizes_are_those_of_the_layouts() -> None:
    sizes = [layout_for(players).size for players in (1, 2, 3, 4)]
    assert (
        f"{sizes[0]} numbers alone and with two players, {sizes[2]} with three, {sizes[3]} with four" in PAGE
    )
    assert sizes[0] == sizes[1]


def test_the_documented_actions_are_those_of_the_rules() -> None:
    for action in (
        0,
        17,
        107,
        DONE,
        RECOVER,
        PEEK,
        MEND,
        DECLINE,
        TAKE,
        TAKE + 5,
        REROLL,
        REROLL + 5,
        FLIP,
        FLIP + 3,
    ):
        assert f"{action} `{ACTION_NAMES[action]}`" in PAGE, action
