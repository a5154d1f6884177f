"""``royalcrypt train``: trains the value network by self-play."""

import argparse
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from royalcrypt.cli import options
from royalcrypt.cli.output import progress, report, writing
from royalcrypt.locales import say

if TYPE_CHECKING:
    from royalcrypt.lab.training import Milestone, Training
    from royalcrypt.lab.worker_pools import WorkerPool

MOST_SEED = 2**63 - 1
SAVE_INTERVAL = 60
"""Interval between saves of the training, in seconds."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("training", metavar="FILE", type=Path, help=say("train.file"))
    options.add(parser, "train", seed="S", games="N", careful="N", weights="FILE")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    options.require_compiler()
    with options.read_optional_pool(arguments) as pool:
        return train(arguments, pool)


def train(arguments: argparse.Namespace, pool: "WorkerPool | None") -> int:
    path: Path = arguments.training
    training = open_training(arguments)
    games, saved = training.games, monotonic()
    planned = training.plan.all_games
    milestones = len(training.curve)
    report(say("train.begins", games=games, planned=planned, seed=training.plan.seed))

    def note() -> None:
        nonlocal games, saved, milestones
        advance(training.games - games)
        games = training.games
        for milestone in training.curve[milestones:]:
            report(milestone_line(milestone))
        milestones = len(training.curve)
        if monotonic() - saved >= SAVE_INTERVAL:
            training.save(path)
            saved = monotonic()

    try:
        with writing(folder=path):
            training.save(path)  # Fails before the first game if the file cannot be written.
            with progress(say("train.learning"), planned, games) as advance:
                training.run(note, pool)
            training.save(path)
            if arguments.weights is not None:
                training.save_weights(arguments.weights)
    except KeyboardInterrupt:
        training.save(path)
        report(say("train.stopped", games=training.games, file=str(path)))
        raise
    report(say("train.done", games=training.games, file=str(path)))
    return 0


def open_training(arguments: argparse.Namespace) -> "Training":
    """Return the training in the file, whose plan cannot be changed, or a new one."""
    from royalcrypt.lab.training import Training, TrainingPlan

    given = options.read_given(
        arguments,
        {
            "seed": partial(options.whole, "seed", least=0, most=MOST_SEED),
            "games": partial(options.whole, "games", most=options.MAX_GAMES),
            "careful": partial(options.whole, "careful", least=0, most=options.MAX_GAMES),
        },
    )
    if not arguments.training.exists():
        return Training(TrainingPlan(**given))
    training = Training.resumed(arguments.training)
    options.check_plan(arguments.training, training.plan, given, asdict(training.plan))
    return training


def milestone_line(milestone: "Milestone") -> str:
    alone, two, four = milestone.shares
    return say(
        "train.milestone",
        games=milestone.games,
        win=f"{milestone.losses.win:.4f}",
        score=f"{milestone.losses.score:.4f}",
        two=f"{two:.1%}",
        four=f"{four:.1%}",
        alone=f"{alone * 50:.1f}",
    )
