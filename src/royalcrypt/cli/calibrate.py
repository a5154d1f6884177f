"""``royalcrypt calibrate``: whether the chances that the learned value speaks of are those that come."""

import argparse
import json
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.cli.crews import crew_from, describe_crew, is_spread
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import MOST_GAMES, read_seed, tell
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from royalcrypt.lab.calibration import Calibration
    from royalcrypt.lab.crew import Crew

COMPANIES = ("alone", "two", "three", "four")
ALL = "all"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", metavar="N", default="50000", help=say("calibrate.games"))
    parser.add_argument("--seed", metavar="S", default="2026", help=say("calibrate.seed"))
    parser.add_argument("--plot", metavar="FILE", type=Path, help=say("calibrate.plot"))
    parser.add_argument("--json", action="store_true", help=say("calibrate.json"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.carriers import can_compile
    from royalcrypt.lab.plots import must_be_plottable

    games = whole("games", arguments.games, least=len(COMPANIES), most=MOST_GAMES)
    seed = read_seed(arguments.seed)
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    if arguments.plot is not None:
        must_be_plottable(arguments.plot)
    with crew_from(arguments) if is_spread(arguments) else nullcontext() as crew:
        found = measured(games, seed, crew)
    if arguments.plot is not None:
        draw(found, arguments.plot)
    if arguments.json:
        print(json.dumps({name: asdict(one) | {"error": one.error} for name, one in found.items()}))  # noqa: T201
    else:
        show(found)
    return 0


def measured(games: int, seed: int, crew: "Crew | None") -> "dict[str, Calibration]":
    """One of each company, and of all together."""
    from royalcrypt.lab.calibration import Calibration, Positions, sample
    from royalcrypt.search.network import learned_weights

    positions: list[Positions] = []
    with progress(say("calibrate.playing"), games) as advance:
        for index in range(len(COMPANIES)):
            share = games // len(COMPANIES) + (index < games % len(COMPANIES))
            positions.append(sample(learned_weights(), index + 1, share, seed, advance, crew))
    found = {name: Calibration.of(one) for name, one in zip(COMPANIES, positions, strict=True)}
    return found | {ALL: Calibration.of(Positions.together(positions))}


def draw(found: "dict[str, Calibration]", file: Path) -> None:
    from royalcrypt.lab.plots import draw_calibration

    lines = {say(f"calibrate.{name}"): one for name, one in found.items()}
    try:
        draw_calibration(lines, say("calibrate.said"), say("calibrate.came"), file)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(file), why=error.strerror or str(error)) from None
    tell(say("calibrate.drawn", file=str(file)))


def show(found: "dict[str, Calibration]") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=say("calibrate.title"))
    for heading in ("company", "positions", "tenth", "said", "came", "error"):
        table.add_column(say(f"calibrate.{heading}"), justify="left" if heading == "company" else "right")
    for number, one in enumerate(found[ALL].bins):
        if one.positions:
            tenth = f"{number * 10}-{number * 10 + 10} %"
            off = f"{abs(one.expected - one.happened):.1%}"
            table.add_row("", str(one.positions), tenth, f"{one.expected:.1%}", f"{one.happened:.1%}", off)
    table.add_section()
    for name, one in found.items():
        table.add_row(say(f"calibrate.{name}"), str(one.positions), "", "", "", f"{one.error:.2%}")
    Console().print(table)
