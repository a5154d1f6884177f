"""``royalcrypt tournament``: rates bots, which play the same deals from every seat."""

import argparse
import json
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.cli import options
from royalcrypt.cli.output import columns, progress, report, show, write, writing
from royalcrypt.lab.rating import ANCHOR
from royalcrypt.lab.standings import FEWEST_DEALS, BotStanding, Standings
from royalcrypt.lab.tournament import Tournament, TournamentGame, TournamentPlan
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from rich.table import Table

BOTS = "random,novice,greedy"
STANDARD_OUTPUT = Path("-")


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(parser, "tournament", bots="NAMES", players="N")
    options.add(parser.add_mutually_exclusive_group(), "tournament", deals="N", games="N")
    options.add(parser, "tournament", collectors="SIDES", seed="S")
    options.add(parser, "simulate", simulations="N", milliseconds="N")
    options.add(parser, "tournament", keep="FILE", plot="FILE", json="FILE")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    is_printed = arguments.json == STANDARD_OUTPUT
    if arguments.plot is not None:
        from royalcrypt.lab.plots import must_be_plottable

        must_be_plottable(arguments.plot)
        check_writable(arguments.plot)
    if arguments.json is not None and not is_printed:
        check_writable(arguments.json)
    tournament = open_tournament(arguments)
    play(tournament, arguments)
    standings = Standings(tournament)
    if arguments.plot is not None:
        draw(standings, arguments.plot)
    if arguments.json is not None:
        text = json.dumps(standings.to_dict(), indent=2)
        if is_printed:
            write(text)
            return 0
        with writing(arguments.json):
            arguments.json.write_text(text + "\n", encoding="utf-8")
        report(say("tournament.written", file=arguments.json))
    show_standings(standings)
    return 0


def open_tournament(arguments: argparse.Namespace) -> Tournament:
    """Return a new tournament or the one in the file, of whose plan only the deals can be changed."""
    given = options.read_given(
        arguments,
        {
            "bots": read_entrants,
            "players": partial(options.whole, "players", least=2, most=4),
            "collectors": options.read_sides,
            "seed": options.read_seed,
            "simulations": partial(options.whole, "simulations", most=options.MAX_SIMULATIONS),
            "milliseconds": partial(options.whole, "milliseconds", most=options.MAX_MILLISECONDS),
        },
    )
    path: Path | None = arguments.keep
    if path is None or not path.exists():
        given.setdefault("bots", read_entrants(BOTS))
        plan = TournamentPlan(**given)
        return Tournament(replace(plan, deals=read_deals(arguments, plan)))
    stored = Tournament.load(path)
    plan = stored.plan
    read_entrants(",".join(plan.bots))
    options.check_plan(path, plan, given, shown_options(plan))
    plan = replace(plan, deals=read_deals(arguments, plan))
    report(say("tournament.goes_on", count=len(stored.games), file=str(path), games=plan.games))
    return stored.with_plan(plan)


def shown_options(plan: TournamentPlan) -> dict[str, Any]:
    """Return the plan's values in the form of command-line options."""
    missing = {"collectors": "random", "milliseconds": say("tournament.never")}
    found = {name: missing[name] if value is None else value for name, value in asdict(plan).items()}
    return found | {"bots": ",".join(plan.bots)}


def read_entrants(text: str) -> tuple[str, ...]:
    names = options.read_bots(text)
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Refusal(Reason.BOT_TWICE, name=name)
    if len(names) < 2:
        raise Refusal(Reason.TOO_FEW_BOTS, bots=text)
    return names


def read_deals(arguments: argparse.Namespace, plan: TournamentPlan) -> int:
    """Return the number of deals; a number of games is rounded up to whole deals."""
    games = options.read_number(arguments, "games", None, most=options.MAX_GAMES)
    if games is not None:
        return -(-games // len(plan.seatings))
    return options.read_number(arguments, "deals", plan.deals, most=options.MAX_GAMES)


def play(tournament: Tournament, arguments: argparse.Namespace) -> None:
    path: Path | None = arguments.keep
    pool = options.read_worker_pool(arguments)
    planned, done = tournament.plan.games, len(tournament.games)
    if done == planned:
        return

    def keep(games: list[TournamentGame]) -> None:
        if path is not None:
            tournament.append(games, path)
        advance(len(games))

    try:
        with writing(path):
            if path is not None:  # Fails before the first game if the file cannot be written.
                tournament.save(path)
            with pool as workers, progress(say("tournament.playing"), planned, done) as advance:
                tournament.play(workers, keep)
    except KeyboardInterrupt:
        words = "tournament.stopped" if path is None else "tournament.kept"
        report(say(words, count=len(tournament.games), file=str(path)))
        raise


def check_writable(path: Path) -> None:
    """Raise Refusal if the path cannot be written, before the games begin."""
    if path.is_dir() or not path.parent.is_dir():
        why = "Is a directory" if path.is_dir() else "No such file or directory"
        raise Refusal(Reason.CANNOT_WRITE, file=str(path), why=why)


def draw(standings: Standings, file: Path) -> None:
    from royalcrypt.lab.plots import draw_standings

    with writing(file):
        draw_standings(standings, file)
    report(say("tournament.written", file=str(file)))


def show_standings(standings: Standings) -> None:
    plan = standings.plan
    show(
        say(
            "tournament.title",
            count=standings.deals,
            games=len(standings.games),
            players=plan.players,
            seed=plan.seed,
            collectors=plan.collectors or "random",
        ),
        rating_table(standings),
        say("tournament.scale.anchored" if ANCHOR in plan.bots else "tournament.scale.mean"),
    )
    if standings.deals < FEWEST_DEALS:
        show(say("tournament.few", deals=FEWEST_DEALS))
    show("", say("tournament.encounters"), encounter_table(standings))


def rating_table(standings: Standings) -> "Table":
    names = ("rank", "bot", "rating", "interval", "score", "share", "seats")
    table = columns("tournament.column", *names, left=("bot",))
    for rank, row in enumerate(standings.table, 1):
        figures = f"{row.rating:.0f}", interval(row), f"{row.score:.1f}", f"{row.win_share:.1%}"
        table.add_row(str(rank), row.bot, *figures, str(row.games))
    return table


def interval(row: BotStanding) -> str:
    if row.low is None or row.high is None:
        return say("tournament.unknown")
    return f"{row.low:.0f} … {row.high:.0f}"


def encounter_table(standings: Standings) -> "Table":
    """Build the table of encounters; columns are headed by rank, because names may be long."""
    names = [row.bot for row in standings.table]
    table = columns("tournament.column", "rank", "bot", left=("bot",))
    for rank in range(1, len(names) + 1):
        table.add_column(str(rank), justify="right")
    for rank, bot in enumerate(names, 1):
        met = standings.head_to_head[bot]
        shares = (f"{met[rival].share:.1%}" if rival in met else "" for rival in names)
        table.add_row(str(rank), bot, *shares)
    return table
