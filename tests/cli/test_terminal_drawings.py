"""Tables, logs, help pages and score sheets of many games, drawn without a terminal."""

import io
import random

import pytest
from rich.console import Console

from royalcrypt import Game, Seat
from royalcrypt.cli.terminal.labels import SeatLabels
from royalcrypt.cli.terminal.pages import draw_help, draw_sheet, draw_unseen
from royalcrypt.cli.terminal.sentences import EventFormatter
from royalcrypt.cli.terminal.table import draw_table, with_staged
from royalcrypt.notation.moves import Placement


def a_console(width: int, height: int) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, force_terminal=True, highlight=False)


def drawn(console: Console, part: object) -> str:
    with console.capture() as capture:
        console.print(part, no_wrap=False)
    return capture.get()


def a_game(players: int, sides: str, seed: int) -> Game:
    names = ("Ada", "Bo", "Cy", "Dee")
    return Game.new(
        players=players, collectors=sides, seed=seed, seats=tuple(Seat(name) for name in names[:players])
    )


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("sides", ["AAAAAA", "BBBBBB", "ABABAB"])
def test_every_position_of_a_game_can_be_described_and_drawn(players: int, sides: str) -> None:
    game = a_game(players, sides, seed=players)
    chooser = random.Random(f"{players}{sides}")
    while (actor := game.actor) is not None:
        seat = chooser.randrange(players)
        people = SeatLabels(game.seats, seat)
        told = EventFormatter(people).sentences(game.events_for(seat))
        assert all(sentence is None or sentence.plain for sentence in told)
        if chooser.random() < 0.15:
            console = a_console(chooser.randrange(30, 150), chooser.randrange(12, 50))
            story = [sentence for sentence in told if sentence is not None]
            parts = draw_table(console, game.view(seat), people, story)
            for line in console.render_lines(parts):
                assert sum(part.cell_length for part in line) <= console.width
            for part in (draw_help(game.view(seat)), draw_unseen(game.view(seat))):
                assert drawn(console, part)
        game.play(chooser.choice(list(game.view(actor).moves())))
    result = game.result()
    assert result is not None
    sheet = drawn(a_console(80, 24), draw_sheet(result, game.collectors, SeatLabels(game.seats, 0)))
    for score in result["scores"]:
        assert str(score) in sheet


def test_log_and_table_hide_what_the_viewer_does_not_know() -> None:
    game = a_game(2, "AAAAAA", seed=1)
    slot = next(slot for slot in game.view(0).row if slot.is_down)
    game.play(f"{slot.slot + 1}:1x1")
    game.play("recover")
    game.play("recover")
    for viewer, is_owner in ((0, True), (1, False)):
        people = SeatLabels(game.seats, viewer)
        told = " ".join(
            text.plain
            for text in EventFormatter(people).sentences(game.events_for(viewer))
            if text is not None
        )
        assert ("a hidden" in told.split("carr")[1].split("Round 2")[0]) is not is_owner


def test_staged_dice_are_shown_but_not_played() -> None:
    game = a_game(2, "AAAAAA", seed=1)
    view = game.view(0)
    staged = with_staged(view, [Placement(1, 2, 5)])
    assert (staged[1].holder, staged[1].total) == (0, 10)
    assert view.row[1].holder is None


def test_the_log_says_who_was_pushed_out() -> None:
    game = a_game(2, "AAAAAA", seed=1)
    game.play("1:1x2")
    game.play("1:1x4")
    told = [
        text.plain
        for text in EventFormatter(SeatLabels(game.seats, 0)).sentences(game.events_for(0))
        if text is not None
    ]
    assert told[-1].startswith("Bo places 1×4 on")
    assert told[-1].endswith("(pushing out your 2).")
