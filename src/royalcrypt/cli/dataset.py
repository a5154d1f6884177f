"""``royalcrypt dataset``: write many games of a strong bot as tables for research, or check such tables."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import (
    MOST_GAMES,
    MOST_SIMULATIONS,
    opened,
    read_seed,
    read_sides,
    tell,
    write_line,
)
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from royalcrypt.lab.crew import Crew
    from royalcrypt.lab.dataset.plans import Plan
    from royalcrypt.lab.dataset.writing import Folder

GAMES = 10_000
MEGABYTE = 1_000_000
UNSOUND = 1
PARQUET = "parquet"


def describe(parser: argparse.ArgumentParser) -> None:
    def option(name: str, **settings: Any) -> None:
        parser.add_argument(f"--{name}", help=say(f"dataset.{name}"), **settings)

    option("out", metavar="FOLDER", type=Path, default=Path("dataset"))
    option("games", metavar="N")
    option("players", metavar="N")
    option("collectors", metavar="SIDES")
    option("bot", metavar="NAME")
    option("seed", metavar="S")
    option("simulations", metavar="N")
    option("shard", metavar="N")
    option("format", metavar="FORMAT", default=PARQUET)
    option("check", metavar="FOLDER", type=Path)
    option("records", metavar="FILE")
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.carriers import can_compile
    from royalcrypt.lab.frames import must_have_frames

    crew = crew_from(arguments)
    if arguments.format != PARQUET:
        raise Refusal(Reason.WRONG_CHOICE, option="format", found=arguments.format, values=PARQUET)
    if arguments.records is not None and arguments.check is None:
        raise Refusal(Reason.OPTION_WITHOUT, option="records", needed="check")
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    must_have_frames()
    return check(arguments, crew) if arguments.check is not None else make(arguments, crew)


def make(arguments: argparse.Namespace, crew_asked: "AbstractContextManager[Crew]") -> int:
    from royalcrypt.lab.dataset.writing import Folder, write

    folder = Folder(arguments.out)
    plan = agreed(folder, given(arguments))
    done = games_in(folder, plan)
    try:
        with crew_asked as crew:
            folder.begin(plan)  # Whoever cannot write anything is told before and not after.
            tell(say("dataset.begins", done=done, games=plan.games, seed=plan.seed, folder=str(folder.path)))
            compile_first(plan)
            with progress(say("dataset.playing"), plan.games, done) as advance:
                write(plan, folder, crew, advance)
    except OSError as error:
        raise Refusal(
            Reason.CANNOT_WRITE, file=str(error.filename or folder.path), why=str(error.strerror)
        ) from None
    except KeyboardInterrupt:
        kept = games_in(folder, plan)
        tell(say("dataset.stopped", done=kept, games=plan.games, folder=str(folder.path)))
        raise
    size = f"{folder.size(plan) / MEGABYTE:.1f}"
    tell(say("dataset.done", games=plan.games, folder=str(folder.path), size=size))
    return 0


def given(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was asked for, option by option, as a plan has it."""
    readers: dict[str, Callable[[str], Any]] = {
        "players": read_players,
        "collectors": read_sides,
        "bot": read_bot,
        "seed": read_seed,
        "games": partial(read_number, "games", MOST_GAMES),
        "simulations": partial(read_number, "simulations", MOST_SIMULATIONS),
        "shard": partial(read_number, "shard", MOST_GAMES),
    }
    texts = {name: getattr(arguments, name) for name in readers}
    return {name: readers[name](text) for name, text in texts.items() if text is not None}


def read_number(name: str, most: int, text: str) -> int:
    return whole(name, text, least=1, most=most)


def read_players(text: str) -> int | None:
    from royalcrypt.lab.dataset.plans import ALL

    if text not in ("1", "2", "3", "4", ALL):
        raise Refusal(Reason.WRONG_CHOICE, option="players", found=text, values=f"1, 2, 3, 4, {ALL}")
    return None if text == ALL else int(text)


def read_bot(text: str) -> str:
    from royalcrypt.bots.registry import bot_names
    from royalcrypt.cli.naming import read_bots

    name, *others = read_bots(text)
    if others:
        raise Refusal(Reason.NO_SUCH_BOT, name=text, names=", ".join(bot_names()))
    return name


def agreed(folder: "Folder", asked: dict[str, Any]) -> "Plan":
    """The folder's plan, which is not changed any more, or a new one."""
    from royalcrypt.lab.dataset.plans import SHARD, SLOW_SHARD, STRONG, Plan

    if not folder.is_begun:
        shard = SHARD if asked.get("bot", STRONG) == STRONG else SLOW_SHARD
        defaults: dict[str, Any] = {"games": GAMES, "shard": shard}
        return Plan(**defaults | asked)
    plan = folder.plan()
    for name, wanted in asked.items():
        if wanted != getattr(plan, name):
            found = plan.to_dict()[name]
            raise Refusal(Reason.OTHER_PLAN, file=str(folder.path), option=f"--{name}", found=found)
    return plan


def games_in(folder: "Folder", plan: "Plan") -> int:
    return sum(len(shard.numbers) for shard in plan.shards() if folder.has(shard))


def compile_first(plan: "Plan") -> None:
    """Once, before several processes do it for themselves."""
    from royalcrypt.lab.dataset.playing import entries
    from royalcrypt.search.compilation import compiled, is_compiled

    if not all(map(is_compiled, entries(plan))):
        tell(say("dataset.compiling"))
    for entry in entries(plan):
        compiled(entry)


def check(arguments: argparse.Namespace, crew_asked: "AbstractContextManager[Crew]") -> int:
    from royalcrypt.lab.dataset.checking import check_shard, pieces

    shards = pieces(arguments.check)
    broken, games = 0, 0
    with progress(say("dataset.checking"), len(shards)) as advance, crew_asked as crew:
        for piece, findings in zip(shards, crew.do(check_shard, shards), strict=True):
            for finding in findings:
                tell(say(f"dataset.finding.{finding.why}", file=finding.file, game=finding.game))
            broken += len(findings)
            games += len(piece.shard.numbers)
            advance(1)
    if broken:
        tell(say("dataset.unsound", count=broken))
        return UNSOUND
    if arguments.records is not None:
        write_records(arguments.check, arguments.records, games)
    tell(say("dataset.sound", count=games))
    return 0


def write_records(folder: Path, file: str, games: int) -> None:
    from royalcrypt.lab.dataset import Dataset

    try:
        with opened(file) as records, progress(say("dataset.writing"), games) as advance:
            for record in Dataset(folder).records():
                if records is not None:
                    write_line(records, record.to_json())
                advance(1)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=file, why=str(error.strerror)) from None
