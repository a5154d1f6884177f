"""``royalcrypt tournament``: bots meet in the same deals, from every seat, and are rated."""

import argparse
import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.naming import read_bots
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import (
    MOST_GAMES,
    MOST_MILLISECONDS,
    MOST_SIMULATIONS,
    read_seed,
    read_sides,
    tell,
)
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from royalcrypt.lab.standings import Standings
    from royalcrypt.lab.tournament import Plan, Played, Tournament

BOTS = "random,novice,greedy"
FEWEST, MOST = 2, 4
"""Players."""
STANDARD_OUTPUT = "-"


def describe(parser: argparse.ArgumentParser) -> None:
    how_many = parser.add_mutually_exclusive_group()
    parser.add_argument("--bots", metavar="NAMES", help=say("tournament.bots"))
    parser.add_argument("--players", metavar="N", help=say("tournament.players"))
    how_many.add_argument("--deals", metavar="N", help=say("tournament.deals"))
    how_many.add_argument("--games", metavar="N", help=say("tournament.games"))
    parser.add_argument("--collectors", metavar="SIDES", help=say("tournament.collectors"))
    parser.add_argument("--seed", metavar="S", help=say("tournament.seed"))
    parser.add_argument("--simulations", metavar="N", help=say("simulate.simulations"))
    parser.add_argument("--milliseconds", metavar="N", help=say("simulate.milliseconds"))
    parser.add_argument("--keep", metavar="FILE", type=Path, help=say("tournament.keep"))
    parser.add_argument("--plot", metavar="FILE", type=Path, help=say("tournament.plot"))
    parser.add_argument("--json", metavar="FILE", help=say("tournament.json"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.standings import Standings

    if arguments.plot is not None:
        from royalcrypt.lab.plots import must_be_plottable

        must_be_plottable(arguments.plot)
        must_be_writable(arguments.plot)
    is_printed = arguments.json == STANDARD_OUTPUT
    if arguments.json is not None and not is_printed:
        must_be_writable(Path(arguments.json))
    tournament = entered(arguments)
    play(tournament, arguments)
    standings = Standings(tournament)
    if arguments.plot is not None:
        draw(standings, arguments.plot)
    if arguments.json is not None:
        write(json.dumps(standings.to_dict(), indent=2), arguments.json)
    if not is_printed:
        from royalcrypt.cli.tournament_tables import print_standings

        print_standings(standings)
    return 0


def entered(arguments: argparse.Namespace) -> "Tournament":
    """A new one, or what the file holds: a plan that is under way is not changed but for the deals."""
    from royalcrypt.lab import tournament_file
    from royalcrypt.lab.tournament import Plan, Tournament

    given = read_options(arguments)
    path: Path | None = arguments.keep
    if path is None or not path.exists():
        given.setdefault("bots", read_entrants(BOTS))
        plan = Plan(**given)
        return Tournament(replace(plan, deals=read_deals(arguments, plan)))
    begun = tournament_file.read(path)
    read_entrants(",".join(begun.plan.bots))
    for name, wanted in given.items():
        found: Any = getattr(begun.plan, name)
        if wanted != found:
            shown = shown_option(name, found)
            raise Refusal(Reason.OTHER_PLAN, file=str(path), option=f"--{name}", found=shown)
    plan = replace(begun.plan, deals=read_deals(arguments, begun.plan))
    tell(say("tournament.goes_on", count=len(begun.games), file=str(path), games=plan.games))
    return tournament_file.cut_to(begun, plan)


def shown_option(name: str, value: Any) -> str:
    """As it would be given."""
    if value is None:
        return "random" if name == "collectors" else say("tournament.never")
    return ",".join(value) if name == "bots" else str(value)


def read_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Those that were given, but for the number of deals."""
    readers: dict[str, Callable[[str], Any]] = {
        "bots": read_entrants,
        "players": partial(whole, "players", least=FEWEST, most=MOST),
        "collectors": read_sides,
        "seed": read_seed,
        "simulations": partial(whole, "simulations", least=1, most=MOST_SIMULATIONS),
        "milliseconds": partial(whole, "milliseconds", least=1, most=MOST_MILLISECONDS),
    }
    return {
        name: read(getattr(arguments, name))
        for name, read in readers.items()
        if getattr(arguments, name) is not None
    }


def read_entrants(text: str) -> tuple[str, ...]:
    names = read_bots(text)
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Refusal(Reason.BOT_TWICE, name=name)
    if len(names) < 2:
        raise Refusal(Reason.TOO_FEW_BOTS, bots=text)
    return names


def read_deals(arguments: argparse.Namespace, plan: "Plan") -> int:
    if arguments.deals is not None:
        return whole("deals", arguments.deals, least=1, most=MOST_GAMES)
    if arguments.games is not None:
        return -(-whole("games", arguments.games, least=1, most=MOST_GAMES) // len(plan.seatings))
    return plan.deals


def play(tournament: "Tournament", arguments: argparse.Namespace) -> None:
    from royalcrypt.lab import tournament_file

    path: Path | None = arguments.keep
    working = crew_from(arguments)
    planned, done = tournament.plan.games, len(tournament.games)
    if done == planned:
        return  # Nobody need be sent for.

    def keep(games: "list[Played]") -> None:
        if path is not None:
            tournament_file.append(games, path)
        advance(len(games))

    try:
        if path is not None:  # Whoever cannot keep anything is told before and not after.
            tournament_file.begin(tournament, path)
        with working as crew, progress(say("tournament.playing"), planned, done) as advance:
            tournament.play(crew, keep)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(path), why=str(error.strerror)) from None
    except KeyboardInterrupt:
        words = "tournament.stopped" if path is None else "tournament.kept"
        tell(say(words, count=len(tournament.games), file=str(path)))
        raise


def must_be_writable(path: Path) -> None:
    """Refuse what could not be written, before somebody waits for it."""
    if path.is_dir() or not path.parent.is_dir():
        why = "Is a directory" if path.is_dir() else "No such file or directory"
        raise Refusal(Reason.CANNOT_WRITE, file=str(path), why=why)


def draw(standings: "Standings", file: Path) -> None:
    from royalcrypt.lab.tournament_plots import draw_standings

    try:
        draw_standings(standings, say("tournament.drawn.ratings"), say("tournament.drawn.encounters"), file)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(file), why=error.strerror or str(error)) from None
    tell(say("tournament.written", file=str(file)))


def write(text: str, file: str) -> None:
    if file == STANDARD_OUTPUT:
        sys.stdout.write(text + "\n")
        return
    try:
        Path(file).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=file, why=str(error.strerror)) from None
    tell(say("tournament.written", file=file))
