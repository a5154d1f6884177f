"""``royalcrypt calibrate``: compares the win chances that the value network predicts with the results."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.cli import options
from royalcrypt.cli.output import columns, progress, report, show, write_json, writing
from royalcrypt.locales import say

if TYPE_CHECKING:
    from royalcrypt.lab.calibration import Calibration
    from royalcrypt.lab.worker_pools import WorkerPool

TABLE_SIZES = ("alone", "two", "three", "four")
ALL = "all"


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(parser, "calibrate", games="N", seed="S", plot="FILE", json="")
    parser.set_defaults(seed="2026")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.plots import must_be_plottable

    games = options.read_number(arguments, "games", 50_000, least=len(TABLE_SIZES), most=options.MAX_GAMES)
    seed = options.read_seed(arguments.seed)
    options.require_compiler()
    if arguments.plot is not None:
        must_be_plottable(arguments.plot)
    with options.read_optional_pool(arguments) as pool:
        found = measure(games, seed, pool)
    if arguments.plot is not None:
        draw(found, arguments.plot)
    if arguments.json:
        write_json({name: asdict(one) | {"error": one.error} for name, one in found.items()})
    else:
        show_calibrations(found)
    return 0


def measure(games: int, seed: int, pool: "WorkerPool | None") -> "dict[str, Calibration]":
    """Compute a calibration for each number of players, and one for all together."""
    from royalcrypt.lab.calibration import Calibration, Predictions, sample
    from royalcrypt.search.network import learned_weights

    samples: dict[str, Predictions] = {}
    with progress(say("calibrate.playing"), games) as advance:
        for index, name in enumerate(TABLE_SIZES):
            share = games // len(TABLE_SIZES) + (index < games % len(TABLE_SIZES))
            samples[name] = sample(learned_weights(), index + 1, share, seed, advance, pool)
    samples[ALL] = Predictions.joined(samples.values())
    return {name: Calibration.of(predictions) for name, predictions in samples.items()}


def draw(found: "dict[str, Calibration]", file: Path) -> None:
    from royalcrypt.lab.plots import draw_calibration

    lines = {say(f"calibrate.{name}"): one for name, one in found.items()}
    with writing(file):
        draw_calibration(lines, file)
    report(say("calibrate.drawn", file=str(file)))


def show_calibrations(found: "dict[str, Calibration]") -> None:
    names = ("company", "positions", "tenth", "said", "came", "error")
    table = columns("calibrate", *names, left=("company",), title=say("calibrate.title"))
    for number, row in enumerate(found[ALL].bins):
        if row.positions:
            tenth = f"{number * 10}-{number * 10 + 10} %"
            error = f"{abs(row.expected - row.happened):.1%}"
            table.add_row("", str(row.positions), tenth, f"{row.expected:.1%}", f"{row.happened:.1%}", error)
    table.add_section()
    for name, one in found.items():
        table.add_row(say(f"calibrate.{name}"), str(one.positions), "", "", "", f"{one.error:.2%}")
    show(table)
