"""``royalcrypt study``: answers questions about the game with statistics of many games, and plots."""

import argparse
import shlex
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.cli import options
from royalcrypt.cli.output import progress, report, write, writing
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from royalcrypt.lab.studies.questions import Plan, Question
    from royalcrypt.lab.studies.results import Study
    from royalcrypt.lab.worker_pools import WorkerPool

MAX_DEALS = 10**7
FOLDER = "study"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help=say("study.names"))
    options.add(parser, "study", list="", out="FOLDER", games="N", players="N,...", bot="NAME", seed="S")
    parser.set_defaults(out=Path(FOLDER), seed="2026")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    options.require_compiler()
    if arguments.list or not arguments.names:
        from royalcrypt.lab.studies.questions import NAMES, question_named

        width = max(map(len, NAMES))
        write("\n".join(f"{name:{width}}  {question_named(name).title}" for name in NAMES))
        return 0
    if find_spec("matplotlib") is None:
        raise Refusal(Reason.NO_PLOTS)
    plans = read_plans(arguments)
    pool = options.read_worker_pool(arguments)
    folder: Path = arguments.out
    try:
        with writing(folder=folder):
            check_writable(folder)
            studies = run_studies(plans, pool)
            written = write_studies(folder, studies, plans)
    except KeyboardInterrupt:
        report(say("study.stopped"))
        raise
    for study in studies:
        write("\n".join((study.title, *(f"- {finding}" for finding in study.findings))))
    report(say("study.written", file=str(written[0]), count=len(written) - 1))
    return 0


def read_plans(arguments: argparse.Namespace) -> "dict[str, Plan]":
    """Return the plans keyed by study name, without duplicates, in the order of the command line."""
    from royalcrypt.lab.strong_play import BOT
    from royalcrypt.lab.studies.questions import Plan, question_named

    bot = BOT if arguments.bot is None else options.read_bots(arguments.bot)[0]
    seed = options.read_seed(arguments.seed)
    plans: dict[str, Plan] = {}
    for name in arguments.names:
        question = question_named(name)
        if bot != BOT and not question.any_bot:
            raise Refusal(Reason.WRONG_CHOICE, option="bot", found=bot, values=f"{BOT} ({name})")
        plans[name] = Plan(read_deals(arguments, question), seed, bot)
    return plans


def read_deals(arguments: argparse.Namespace, question: "Question") -> dict[int, int]:
    """Return the number of deals for each number of players; the study has defaults for both."""
    usual = question.deals
    players = list(usual)
    if arguments.players is not None:
        least, most = question.company
        texts = arguments.players.split(",")
        players = sorted({options.whole("players", text, least=least, most=most) for text in texts})
    games = options.read_number(arguments, "games", None, least=2, most=MAX_DEALS)
    if games is None:
        return {number: usual.get(number) or max(1, min(usual.values()) // 2) for number in players}
    return dict.fromkeys(players, games)


def check_writable(folder: Path) -> None:
    """Raise OSError before the first game if the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    trial = folder / ".royalcrypt"
    trial.touch()
    trial.unlink()


def run_studies(plans: "Mapping[str, Plan]", pool: "AbstractContextManager[WorkerPool]") -> "list[Study]":
    from royalcrypt.lab.studies.games import compile_kernel, has_compiled_kernel
    from royalcrypt.lab.studies.questions import study

    if not has_compiled_kernel():
        report(say("study.compiling"))
    compile_kernel()  # Compile once, before several processes would.
    with pool as workers:
        studies: list[Study] = []
        for name, plan in plans.items():
            with progress(say("study.playing", name=name), sum(plan.deals.values())) as advance:
                studies.append(study(name, plan, workers, advance))
    return studies


def write_studies(folder: Path, studies: "list[Study]", plans: "Mapping[str, Plan]") -> list[Path]:
    from royalcrypt.lab.studies.report import Facts, write_report

    seed = next(iter(plans.values())).seed
    facts = Facts(shlex.join(["royalcrypt", *sys.argv[1:]]), seed, f"royalcrypt {version('royalcrypt')}")
    return write_report(folder, studies, facts)
