"""``royalcrypt study``: questions about the game, answered with many games and pictures."""

import argparse
import shlex
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import read_seed, tell
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from royalcrypt.lab.crew import Crew
    from royalcrypt.lab.studies.questions import Plan, Question
    from royalcrypt.lab.studies.results import Study

MOST_DEALS = 10**7
FOLDER = "study"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help=say("study.names"))
    parser.add_argument("--list", action="store_true", help=say("study.list"))
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path(FOLDER), help=say("study.out"))
    parser.add_argument("--games", metavar="N", help=say("study.games"))
    parser.add_argument("--players", metavar="N,...", help=say("study.players"))
    parser.add_argument("--bot", metavar="NAME", help=say("study.bot"))
    parser.add_argument("--seed", metavar="S", default="2026", help=say("study.seed"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.carriers import can_compile

    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    if arguments.list or not arguments.names:
        show_questions()
        return 0
    if find_spec("matplotlib") is None:
        raise Refusal(Reason.NO_PLOTS)
    plans = read_plans(arguments)
    working = crew_from(arguments)
    folder: Path = arguments.out
    try:
        must_be_writable(folder)
        studies = asked(plans, working)
        written = report(folder, studies, plans)
    except OSError as error:
        raise Refusal(
            Reason.CANNOT_WRITE, file=str(error.filename or folder), why=error.strerror or str(error)
        ) from None
    except KeyboardInterrupt:
        tell(say("study.stopped"))
        raise
    for study in studies:
        print(study.title, *(f"- {finding}" for finding in study.findings), sep="\n")  # noqa: T201
    tell(say("study.written", file=str(written[0]), count=len(written) - 1))
    return 0


def show_questions() -> None:
    from royalcrypt.lab.studies.questions import NAMES, question_named

    width = max(map(len, NAMES))
    for name in NAMES:
        print(f"{name:{width}}  {question_named(name).title}")  # noqa: T201


def read_plans(arguments: argparse.Namespace) -> "dict[str, Plan]":
    """By name of the study; each once, in the order in which they were asked for."""
    from royalcrypt.cli.naming import read_bots
    from royalcrypt.lab.strong_play import BOT
    from royalcrypt.lab.studies.questions import Plan, question_named

    bot = BOT if arguments.bot is None else read_bots(arguments.bot)[0]
    seed = read_seed(arguments.seed)
    plans: dict[str, Plan] = {}
    for name in arguments.names:
        question = question_named(name)
        if bot != BOT and not question.any_bot:
            raise Refusal(Reason.WRONG_CHOICE, option="bot", found=bot, values=f"{BOT} ({name})")
        plans[name] = Plan(read_deals(arguments, question), seed, bot)
    return plans


def read_deals(arguments: argparse.Namespace, question: "Question") -> dict[int, int]:
    """By number of players: those that the study is about, unless told otherwise."""
    usual = question.deals
    players = list(usual)
    if arguments.players is not None:
        least, most = question.company
        players = sorted(
            {whole("players", text, least=least, most=most) for text in arguments.players.split(",")}
        )
    if arguments.games is None:
        return {number: usual.get(number) or max(1, min(usual.values()) // 2) for number in players}
    games = whole("games", arguments.games, least=2, most=MOST_DEALS)
    return dict.fromkeys(players, games)


def must_be_writable(folder: Path) -> None:
    """Whoever cannot keep anything is told before and not after."""
    folder.mkdir(parents=True, exist_ok=True)
    trial = folder / ".royalcrypt"
    trial.touch()
    trial.unlink()


def asked(plans: "Mapping[str, Plan]", working: "AbstractContextManager[Crew]") -> "list[Study]":
    from royalcrypt.lab.studies.games import compile_kernel, has_compiled_kernel
    from royalcrypt.lab.studies.questions import study

    if not has_compiled_kernel():
        tell(say("study.compiling"))
    compile_kernel()  # Once, before others ask for it.
    with working as crew:
        studies: list[Study] = []
        for name, plan in plans.items():
            with progress(say("study.playing", name=name), sum(plan.deals.values())) as advance:
                studies.append(study(name, plan, crew, advance))
    return studies


def report(folder: Path, studies: "list[Study]", plans: "Mapping[str, Plan]") -> list[Path]:
    from royalcrypt.lab.studies.report import Facts, write_report

    seed = next(iter(plans.values())).seed
    facts = Facts(shlex.join(["royalcrypt", *sys.argv[1:]]), seed, f"royalcrypt {version('royalcrypt')}")
    return write_report(folder, studies, facts)
