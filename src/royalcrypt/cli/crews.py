"""Who does the work of a command: ``--jobs`` and ``--ray``, the same for all that can be spread."""

import argparse
from typing import TYPE_CHECKING

from royalcrypt.cli.numbers import whole
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from royalcrypt.lab.crew import Crew

MOST_JOBS = 64


def describe_crew(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", metavar="N", help=say("crew.jobs"))
    parser.add_argument("--ray", metavar="ADDRESS", help=say("crew.ray"))


def crew_from(arguments: argparse.Namespace) -> "AbstractContextManager[Crew]":
    """Numbers are checked at once; a cluster is asked for when the work begins."""
    from royalcrypt.lab.crew import crew_of

    if arguments.jobs is not None and arguments.ray is not None:
        raise Refusal(Reason.RAY_OR_JOBS)
    jobs = 1 if arguments.jobs is None else whole("jobs", arguments.jobs, least=1, most=MOST_JOBS)
    return crew_of(jobs, arguments.ray)


def is_spread(arguments: argparse.Namespace) -> bool:
    """Whether somebody else than this process was asked for."""
    return arguments.jobs is not None or arguments.ray is not None
