"""``royalcrypt simulate``: lets bots play many games, and summarises the results."""

import argparse
from math import inf
from typing import TYPE_CHECKING

from royalcrypt.cli import options
from royalcrypt.cli.output import columns, lines_file, progress, report, show, write_json, writing
from royalcrypt.lab.simulate import is_step_by_step, quickest_backend, simulate
from royalcrypt.lab.summary import ResultTally, Summary
from royalcrypt.lab.tables import Setting
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from rich.table import Table

    from royalcrypt.lab.backends import Backend


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(
        parser, "simulate", players="N", solo="", bots="NAMES", games="N", collectors="SIDES", leader="SEAT",
        swap="", seed="S", simulations="N", milliseconds="N", records="FILE", json="", carrier="CARRIER",
    )  # fmt: skip
    parser.set_defaults(bots="random", collectors="AAAAAA", leader="0", seed="0")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    setting = read_setting(arguments)
    games = options.read_number(arguments, "games", 100, most=options.MAX_GAMES)
    pool = options.read_worker_pool(arguments)
    is_recorded = arguments.records is not None
    backend = prepare_backend(arguments.carrier, setting, games, is_recorded=is_recorded)
    summary = Summary(setting)
    try:
        with (
            writing(arguments.records),
            lines_file(arguments.records) as write_record,
            progress(say("simulate.playing"), games) as advance,
            pool as workers,
        ):
            for outcome in simulate(setting, games, backend, is_recorded=is_recorded, pool=workers):
                summary.add(outcome)
                if write_record is not None and outcome.line is not None:
                    write_record(outcome.line)
                advance(1)
    except KeyboardInterrupt:
        report(say("simulate.stopped", count=summary.games))
        raise
    if arguments.json:
        write_json(summary.to_dict())
    else:
        show_summary(summary)
    return 0


def read_setting(arguments: argparse.Namespace) -> Setting:
    players = options.read_number(arguments, "players", 1 if arguments.solo else 2, most=4)
    if arguments.solo and players != 1:
        raise Refusal(Reason.NOT_ALONE, players=players)
    names = options.read_bots(arguments.bots)
    if len(names) not in (1, players):
        raise Refusal(Reason.WRONG_BOTS, bots=len(names), players=players)
    milliseconds = options.read_number(arguments, "milliseconds", inf, most=options.MAX_MILLISECONDS)
    return Setting(
        players=players,
        bots=names if len(names) == players else names * players,
        seed=options.read_seed(arguments.seed),
        collectors=options.read_sides(arguments.collectors),
        leader=read_leader(arguments.leader, players),
        is_swapped=arguments.swap,
        simulations=options.read_number(arguments, "simulations", 1000, most=options.MAX_SIMULATIONS),
        seconds=milliseconds / 1000,
    )


def read_leader(text: str, players: int) -> int | None:
    """Return the first round's leading seat; None means each in turn. Solo, the player leads (R10.2)."""
    if text == "rotate":
        return None
    leader = options.whole("leader", text, least=0)
    if leader >= players:
        raise Refusal(Reason.WRONG_LEADER, leader=leader, players=players)
    return leader


def prepare_backend(name: str | None, setting: Setting, games: int, *, is_recorded: bool) -> "Backend":
    from royalcrypt.lab import backends

    if name is not None and name not in backends.BACKENDS:
        raise Refusal(Reason.NO_SUCH_CARRIER, name=name, names=", ".join(backends.BACKENDS))
    name = name or quickest_backend(setting, games, is_recorded=is_recorded)
    is_slow = is_step_by_step(setting, is_recorded=is_recorded)
    if name == backends.COMPILED and backends.can_compile() and backends.must_compile(step_by_step=is_slow):
        report(say("simulate.compiling"))
    return backends.backend_named(name)


def show_summary(summary: Summary) -> None:
    setting, decisions = summary.setting, summary.decisions
    sides = setting.collectors or "random"
    show(say("simulate.title", count=summary.games, seed=setting.seed, collectors=sides))
    bots = tally_table("bot", summary.bots, is_solo=summary.is_solo)
    if summary.is_solo:
        show(bots, rank_table(summary))
    else:
        names = ["" if setting.is_swapped else f" ({name})" for name in setting.bots]
        seats = {f"{seat}{names[seat]}": tally for seat, tally in enumerate(summary.seats)}
        show(tally_table("seat", seats, is_solo=False), bots)
    length = {"rounds": f"{summary.rounds.mean():.0f}", "decisions": f"{decisions.mean():.1f}"}
    show(say("simulate.length", **length, least=decisions.least, most=decisions.most))


def tally_table(kind: str, tallies: dict[str, ResultTally], *, is_solo: bool) -> "Table":
    """Build a table of results per seat or bot; without wins for solo games."""
    wins = () if is_solo else ("wins", "share")
    table = columns("simulate", kind, "number", "score", "sd", "least", "most", *wins, left=(kind,))
    for name, tally in tallies.items():
        scores = tally.scores
        figures = [f"{scores.mean():.2f}", f"{scores.deviation():.2f}", str(scores.least), str(scores.most)]
        if not is_solo:
            figures += [f"{tally.wins():.1f}", f"{tally.wins() / scores.count:.1%}"]
        table.add_row(name, str(scores.count), *figures)
    return table


def rank_table(summary: Summary) -> "Table":
    table = columns("simulate", "rank", "number", "share", left=("rank",))
    for rank, count in summary.ranks.items():
        table.add_row(say(f"simulate.rank.{rank}"), str(count), f"{count / summary.games:.1%}")
    return table
