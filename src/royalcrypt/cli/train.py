"""``royalcrypt train``: teach the value network by letting it play against itself."""

import argparse
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from royalcrypt.cli.crews import crew_from, describe_crew, is_spread
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import tell
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from royalcrypt.lab.crew import Crew
    from royalcrypt.lab.training import Milestone, Training

MOST_GAMES = 10**9
MOST_SEED = 2**63 - 1
BETWEEN_SAVES = 60
"""Seconds."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("training", metavar="FILE", type=Path, help=say("train.file"))
    parser.add_argument("--seed", metavar="S", help=say("train.seed"))
    parser.add_argument("--games", metavar="N", help=say("train.games"))
    parser.add_argument("--careful", metavar="N", help=say("train.careful"))
    parser.add_argument("--weights", metavar="FILE", type=Path, help=say("train.weights"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.carriers import can_compile

    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    with crew_from(arguments) if is_spread(arguments) else nullcontext() as crew:
        return train(arguments, crew)


def train(arguments: argparse.Namespace, crew: "Crew | None") -> int:
    path: Path = arguments.training
    training = begun(arguments)
    games, saved = training.games, monotonic()
    planned = training.plan.all_games
    milestones = len(training.curve)
    tell(say("train.begins", games=games, planned=planned, seed=training.plan.seed))

    def note() -> None:
        nonlocal games, saved, milestones
        advance(training.games - games)
        games = training.games
        for milestone in training.curve[milestones:]:
            tell(milestone_line(milestone))
        milestones = len(training.curve)
        if monotonic() - saved >= BETWEEN_SAVES:
            training.save(path)
            saved = monotonic()

    try:
        training.save(path)  # Whoever cannot keep anything is told before and not after.
        with progress(say("train.learning"), planned, games) as advance:
            training.run(note, crew)
        training.save(path)
        if arguments.weights is not None:
            training.save_weights(arguments.weights)
    except OSError as error:
        raise Refusal(
            Reason.CANNOT_WRITE, file=str(error.filename or path), why=str(error.strerror)
        ) from None
    except KeyboardInterrupt:
        training.save(path)
        tell(say("train.stopped", games=training.games, file=str(path)))
        raise
    tell(say("train.done", games=training.games, file=str(path)))
    return 0


def begun(arguments: argparse.Namespace) -> "Training":
    """What the file holds, or a new one; a plan that is under way is not changed."""
    from royalcrypt.lab.training import Plan, Training

    given = {
        name: whole(name, text, least=least, most=most)
        for name, text, least, most in (
            ("seed", arguments.seed, 0, MOST_SEED),
            ("games", arguments.games, 1, MOST_GAMES),
            ("careful", arguments.careful, 0, MOST_GAMES),
        )
        if text is not None
    }
    if not arguments.training.exists():
        return Training(Plan(**given))
    training = Training.resumed(arguments.training)
    for name, wanted in given.items():
        if wanted != getattr(training.plan, name):
            raise Refusal(
                Reason.OTHER_PLAN,
                file=str(arguments.training),
                option=f"--{name}",
                found=getattr(training.plan, name),
            )
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
