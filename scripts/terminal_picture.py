"""Draw the picture of terminal play: a table in the middle of a game, as an SVG that needs nothing else.

python scripts/terminal_picture.py [docs/pictures/terminal.svg]
"""

import io
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli.terminal.labels import EMBER, SeatLabels
from royalcrypt.cli.terminal.sentences import EventFormatter
from royalcrypt.cli.terminal.table import draw_table
from royalcrypt.locales import say
from royalcrypt.notation.records import Seat
from royalcrypt.play.game import Game

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "terminal.svg"
WIDTH, HEIGHT = 118, 30
SEED, ROUND = 15, 4
NIGHT = TerminalTheme(
    (24, 20, 32),
    (232, 226, 213),
    [
        (36, 32, 46),
        (228, 87, 76),
        (95, 174, 132),
        (217, 169, 63),
        (79, 143, 216),
        (167, 123, 224),
        (47, 179, 184),
        (232, 226, 213),
    ],
)
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<title>A game of Crypt in a terminal</title>
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, ui-monospace, monospace;
 font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix" xml:space="preserve">{matrix}</g>
</g>
</svg>
"""
"""Rich's own frame names a font on another host; this one takes what the reader has."""


def game_in_the_middle() -> tuple[Game, int]:
    """Three players, and how much of the story Ada knew at her last decision."""
    seats = (Seat("Ada"), Seat("Bo", "bot:greedy"), Seat("Cy", "bot:greedy"))
    game = Game.new(players=3, collectors="AABABB", seed=SEED, leader=1, seats=seats)
    bot = bot_named("greedy")
    told = 0
    while (actor := game.actor) is not None:
        view = game.view(actor)
        if actor == 0:
            if view.round >= ROUND and view.phase == "claim":
                break
            told = len(game.events)
        game.play(bot.choose(view, Budget(simulations=0, seconds=10.0, seed=SEED)))
    return game, told


def draw() -> str:
    game, told = game_in_the_middle()
    people = SeatLabels(game.seats, viewer=0)
    story = EventFormatter(people, is_brief=True).sentences(game.events_for(0))[told:]
    console = Console(
        file=io.StringIO(),
        record=True,
        width=WIDTH,
        height=HEIGHT,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        _environ={},
    )
    call = Text(say("terminal.call.claim.last"), f"bold {EMBER}")
    sentences = [sentence for sentence in story if sentence is not None]
    console.print(draw_table(console, game.view(0), people, sentences, notice=[call]))
    console.print(Text("Ada> 2:1x3"))
    return console.export_svg(title=say("terminal.title"), theme=NIGHT, code_format=FRAME, unique_id="crypt")


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
