"""The standings of a tournament as tables for people."""

from rich.console import Console
from rich.table import Table

from royalcrypt.lab.rating import ANCHOR
from royalcrypt.lab.standings import FEWEST_DEALS, Standing, Standings
from royalcrypt.locales import say


def print_standings(standings: Standings) -> None:
    console = Console(highlight=False)
    plan = standings.plan
    console.print(
        say(
            "tournament.title",
            count=standings.deals,
            games=len(standings.games),
            players=plan.players,
            seed=plan.seed,
            collectors=plan.collectors or "random",
        )
    )
    console.print(ratings(standings))
    console.print(say("tournament.scale.anchored" if ANCHOR in plan.bots else "tournament.scale.mean"))
    if standings.deals < FEWEST_DEALS:
        console.print(say("tournament.few", deals=FEWEST_DEALS))
    console.print()
    console.print(say("tournament.encounters"))
    console.print(encounters(standings))


def ratings(standings: Standings) -> Table:
    table = Table()
    for name in ("rank", "bot", "rating", "interval", "score", "share", "seats"):
        table.add_column(say(f"tournament.column.{name}"), justify="left" if name == "bot" else "right")
    for rank, one in enumerate(standings.table, 1):
        figures = (
            f"{one.rating:.0f}",
            interval(one),
            f"{one.score:.1f}",
            f"{one.win_share:.1%}",
            str(one.games),
        )
        table.add_row(str(rank), one.bot, *figures)
    return table


def interval(one: Standing) -> str:
    if one.low is None or one.high is None:
        return say("tournament.unknown")
    return f"{one.low:.0f} … {one.high:.0f}"


def encounters(standings: Standings) -> Table:
    """By rank, so that long names stand but once."""
    names = [one.bot for one in standings.table]
    table = Table()
    table.add_column(say("tournament.column.rank"), justify="right")
    table.add_column(say("tournament.column.bot"))
    for rank in range(1, len(names) + 1):
        table.add_column(str(rank), justify="right")
    for rank, bot in enumerate(names, 1):
        met = standings.head_to_head[bot]
        shares = (f"{met[rival].share:.1%}" if rival in met else "" for rival in names)
        table.add_row(str(rank), bot, *shares)
    return table
