"""``royalcrypt dataset``: writes games of a bot as data-set tables for research, or checks such tables."""

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.cli import options
from royalcrypt.cli.output import lines_file, progress, report, writing
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from royalcrypt.lab.dataset.folder import DatasetFolder
    from royalcrypt.lab.dataset.plans import DatasetPlan
    from royalcrypt.lab.worker_pools import WorkerPool

GAMES = 10_000
MEGABYTE = 1_000_000
UNSOUND = 1
PARQUET = "parquet"


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(
        parser, "dataset", out="FOLDER", games="N", players="N", collectors="SIDES", bot="NAME", seed="S",
        simulations="N", shard="N", format="FORMAT", check="FOLDER", records="FILE",
    )  # fmt: skip
    parser.set_defaults(out=Path("dataset"), format=PARQUET)
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.frames import must_have_frames

    pool = options.read_worker_pool(arguments)
    if arguments.format != PARQUET:
        raise Refusal(Reason.WRONG_CHOICE, option="format", found=arguments.format, values=PARQUET)
    if arguments.records is not None and arguments.check is None:
        raise Refusal(Reason.OPTION_WITHOUT, option="records", needed="check")
    options.require_compiler()
    must_have_frames()
    return check(arguments, pool) if arguments.check is not None else make(arguments, pool)


def make(arguments: argparse.Namespace, pool: "AbstractContextManager[WorkerPool]") -> int:
    from royalcrypt.lab.dataset.folder import DatasetFolder, write_dataset

    folder = DatasetFolder(arguments.out)
    path = str(folder.path)
    plan = agreed_plan(folder, arguments)
    done = games_in(folder, plan)
    try:
        with pool as workers, writing(folder=folder.path):
            folder.begin(plan)  # Fails before the first game if the folder cannot be written.
            report(say("dataset.begins", done=done, games=plan.games, seed=plan.seed, folder=path))
            compile_kernels(plan)
            with progress(say("dataset.playing"), plan.games, done) as advance:
                write_dataset(plan, folder, workers, advance)
    except KeyboardInterrupt:
        report(say("dataset.stopped", done=games_in(folder, plan), games=plan.games, folder=path))
        raise
    size = f"{folder.size(plan) / MEGABYTE:.1f}"
    report(say("dataset.done", games=plan.games, folder=path, size=size))
    return 0


def agreed_plan(folder: "DatasetFolder", arguments: argparse.Namespace) -> "DatasetPlan":
    """Return the folder's existing plan, which cannot be changed, or a new one."""
    from royalcrypt.lab.dataset.plans import SHARD, SLOW_SHARD, STRONG, DatasetPlan

    given = options.read_given(
        arguments,
        {
            "players": read_players,
            "collectors": options.read_sides,
            "bot": read_bot,
            "seed": options.read_seed,
            "games": partial(options.whole, "games", most=options.MAX_GAMES),
            "simulations": partial(options.whole, "simulations", most=options.MAX_SIMULATIONS),
            "shard": partial(options.whole, "shard", most=options.MAX_GAMES),
        },
    )
    if not folder.is_begun:
        shard = SHARD if given.get("bot", STRONG) == STRONG else SLOW_SHARD
        defaults: dict[str, Any] = {"games": GAMES, "shard": shard}
        return DatasetPlan(**defaults | given)
    plan = folder.plan()
    options.check_plan(folder.path, plan, given, plan.to_dict())
    return plan


def read_players(text: str) -> int | None:
    from royalcrypt.lab.dataset.plans import ALL

    if text not in ("1", "2", "3", "4", ALL):
        raise Refusal(Reason.WRONG_CHOICE, option="players", found=text, values=f"1, 2, 3, 4, {ALL}")
    return None if text == ALL else int(text)


def read_bot(text: str) -> str:
    from royalcrypt.bots.registry import bot_names

    name, *others = options.read_bots(text)
    if others:
        raise Refusal(Reason.NO_SUCH_BOT, name=text, names=", ".join(bot_names()))
    return name


def games_in(folder: "DatasetFolder", plan: "DatasetPlan") -> int:
    return sum(len(shard.numbers) for shard in plan.shards() if folder.has(shard))


def compile_kernels(plan: "DatasetPlan") -> None:
    """Compile the kernels once, before several processes would do so."""
    from royalcrypt.lab.dataset.rows import kernels
    from royalcrypt.search.compilation import compiled, is_compiled

    if not all(map(is_compiled, kernels(plan))):
        report(say("dataset.compiling"))
    for kernel in kernels(plan):
        compiled(kernel)


def check(arguments: argparse.Namespace, pool: "AbstractContextManager[WorkerPool]") -> int:
    from royalcrypt.lab.dataset import Dataset
    from royalcrypt.lab.dataset.reader import check_shard

    dataset = Dataset(arguments.check)
    shards = dataset.plan.shards()
    broken = 0
    with progress(say("dataset.checking"), len(shards)) as advance, pool as workers:
        for faults in workers.map(partial(check_shard, arguments.check), shards):
            for fault in faults:
                report(say(f"dataset.finding.{fault.kind}", file=fault.file, game=fault.game))
            broken += len(faults)
            advance(1)
    if broken:
        report(say("dataset.unsound", count=broken))
        return UNSOUND
    games = dataset.plan.games
    if arguments.records is not None:
        with (
            writing(arguments.records),
            lines_file(arguments.records) as write_record,
            progress(say("dataset.writing"), games) as advance,
        ):
            for record in dataset.records():
                if write_record is not None:
                    write_record(record.to_json())
                advance(1)
    report(say("dataset.sound", count=games))
    return 0
