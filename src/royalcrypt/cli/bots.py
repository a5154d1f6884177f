"""``royalcrypt bots``: lists the bots and their ratings, and measures ratings."""

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from royalcrypt.bots import bot_named, bot_names, ratings
from royalcrypt.bots.registry import needs_compiler
from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import MOST_GAMES
from royalcrypt.locales import catalogue, say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from royalcrypt.bots.ratings import Ratings

TABLES = {"2": 2, "4": 4, "1": 1}
"""Numbers of players for which ratings are measured."""
MEASURING = ("bots", "games", "players", "jobs", "ray")
GAMES = "200"
UNKNOWN = "–"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--measure", action="store_true", help=say("bots.measure"))
    for name, shown in (("bots", "NAMES"), ("games", "N"), ("players", "N")):
        parser.add_argument(f"--{name}", metavar=shown, help=say(f"bots.{name}"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    found = ratings.load_ratings(ratings.FILE)
    if arguments.measure:
        measure(arguments, found)
    else:
        check_no_measuring_options(arguments)
    print_list(found)
    return 0


def check_no_measuring_options(arguments: argparse.Namespace) -> None:
    for name in MEASURING:
        if getattr(arguments, name) is not None:
            raise Refusal(Reason.OPTION_WITHOUT, option=name, needed="measure")


def measure(arguments: argparse.Namespace, found: "Ratings") -> None:
    """Play the matches, and save the ratings after each, so that an interruption loses only one."""
    from royalcrypt.lab import rating

    games = whole("games", GAMES if arguments.games is None else arguments.games, least=1, most=MOST_GAMES)
    working = crew_from(arguments)
    tables = read_tables(arguments.players)
    names = [name for name in bot_names() if why_not_loaded(name) is None]
    measured = read_names(arguments.bots, names)
    date = datetime.now(UTC).date().isoformat()
    ratings.save_ratings(found, ratings.FILE)  # Fails before the first game if the file cannot be written.
    pairs = rating.pairings(names, measured)
    total = sum(
        len(measured) * games if players == 1 else len(pairs) * rating.whole_deals(games, players)
        for players in tables
    )
    with progress(say("simulate.playing"), total) as advance, working as crew:
        for players in tables:
            for pair in pairs if players > 1 else ():
                deals = rating.whole_deals(games, players)
                match = rating.play_match(pair, players, deals, date=date, crew=crew, advance=advance)
                rating.note_match(rating.rivalry_of(found, players), match)
                ratings.save_ratings(found, ratings.FILE)
            for name in measured if players == 1 else ():
                found.solo[name] = rating.play_solo(name, games, date=date, crew=crew, advance=advance)
                ratings.save_ratings(found, ratings.FILE)


def read_tables(text: str | None) -> list[int]:
    if text is None:
        return list(TABLES.values())
    if text not in TABLES:
        raise Refusal(Reason.WRONG_CHOICE, option="players", found=text, values=", ".join(TABLES))
    return [TABLES[text]]


def read_names(text: str | None, names: list[str]) -> list[str]:
    if text is None:
        return names
    given = [name.strip() for name in text.split(",")]
    for name in given:
        if name not in bot_names():
            raise Refusal(Reason.NO_SUCH_BOT, name=name, names=", ".join(names))
        bot_named(name)
    return [name for name in names if name in given]


def why_not_loaded(name: str) -> str | None:
    """Why a bot of another package cannot be loaded; None if it can."""
    try:
        bot_named(name)
    except Refusal as refusal:
        return str(refusal)
    return None


def print_list(found: "Ratings") -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(list_of(found))
    console.print(say("bots.scale"))
    for line in measurements(found):
        console.print(line)


def list_of(found: "Ratings") -> "Table":
    from rich.table import Table

    table = Table()
    for column in ("name", "called", "two", "four", "solo", "compiled", "character"):
        is_figure = column in ("two", "four", "solo")
        table.add_column(say(f"bots.column.{column}"), justify="right" if is_figure else "left")
    for name in bot_names():
        solo, problem = found.solo.get(name), why_not_loaded(name)
        rated = [rivalry.ratings.get(name) for rivalry in (found.two, found.four)]
        key = "bots.needed" if not problem and needs_compiler(bot_named(name)) else "bots.not_needed"
        table.add_row(
            name,
            page_text(f"page.bot.{name}"),
            *(UNKNOWN if one is None else str(one.rating) for one in rated),
            UNKNOWN if solo is None else f"{solo.score:.1f}",
            UNKNOWN if problem else say(key),
            problem or page_text(f"page.bot.{name}.hint"),
        )
    return table


def page_text(key: str) -> str:
    """A text of the page about a bot of ours; other bots have none."""
    return say(key) if key in catalogue() else UNKNOWN


def measurements(found: "Ratings") -> "Iterator[str]":
    measured = {"two": found.two.matches, "four": found.four.matches, "solo": found.solo.values()}
    for table, played in measured.items():
        if played:
            games, dates = sum(one.games for one in played), sorted(one.date for one in played)
            when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} – {dates[-1]}"
            yield say(f"bots.measured.{table}", count=games, date=when)
