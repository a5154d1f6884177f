"""``royalcrypt bots``: lists the bots and their ratings, and measures ratings."""

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from royalcrypt.bots import bot_named, bot_names, ratings
from royalcrypt.bots.registry import needs_compiler
from royalcrypt.cli import options
from royalcrypt.cli.output import columns, progress, show
from royalcrypt.locales import catalogue, say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from rich.table import Table

    from royalcrypt.bots.ratings import SavedRatings

TABLES = {"2": 2, "4": 4, "1": 1}
"""Maps the values of ``--players`` to the numbers of players for which ratings are measured."""
MEASURING = ("bots", "games", "players", "jobs", "ray")
GAMES = 200
UNKNOWN = "–"


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(parser, "bots", measure="", bots="NAMES", games="N", players="N")
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    found = ratings.load_ratings(ratings.FILE)
    if arguments.measure:
        measure(arguments, found)
    else:
        for name in MEASURING:
            if getattr(arguments, name) is not None:
                raise Refusal(Reason.OPTION_WITHOUT, option=name, needed="measure")
    show(list_of(found), say("bots.scale"), *measurements(found))
    return 0


def measure(arguments: argparse.Namespace, found: "SavedRatings") -> None:
    """Play the matches and save the ratings after each, so that an interruption loses only one match."""
    from royalcrypt.lab import rating

    games = options.read_number(arguments, "games", GAMES, most=options.MAX_GAMES)
    pool = options.read_worker_pool(arguments)
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
    with progress(say("simulate.playing"), total) as advance, pool as workers:
        for players in tables:
            for pair in pairs if players > 1 else ():
                deals = rating.whole_deals(games, players)
                match = rating.play_match(pair, players, deals, date=date, pool=workers, advance=advance)
                rating.add_match(rating.rivalry_of(found, players), match)
                ratings.save_ratings(found, ratings.FILE)
            for name in measured if players == 1 else ():
                found.solo[name] = rating.play_solo(name, games, date=date, pool=workers, advance=advance)
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
    """Return why a bot of another package cannot be loaded; None if it can."""
    try:
        bot_named(name)
    except Refusal as refusal:
        return str(refusal)
    return None


def list_of(found: "SavedRatings") -> "Table":
    texts = ("name", "called", "compiled", "character")
    table = columns("bots.column", "name", "called", "two", "four", "solo", *texts[2:], left=texts)
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
    """Return the web page's text about a built-in bot; UNKNOWN for bots of other packages."""
    return say(key) if key in catalogue() else UNKNOWN


def measurements(found: "SavedRatings") -> Iterator[str]:
    measured = {"two": found.two.matches, "four": found.four.matches, "solo": found.solo.values()}
    for table, played in measured.items():
        if played:
            games, dates = sum(one.games for one in played), sorted(one.date for one in played)
            when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} – {dates[-1]}"
            yield say(f"bots.measured.{table}", count=games, date=when)
