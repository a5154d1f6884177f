"""The summary of a simulation as tables for people."""

from rich.console import Console
from rich.table import Table

from royalcrypt.lab.summary import Standing, Summary
from royalcrypt.locales import say


def print_tables(summary: Summary) -> None:
    console = Console(highlight=False)
    setting = summary.setting
    sides = setting.collectors or "random"
    console.print(say("simulate.title", count=summary.games, seed=setting.seed, collectors=sides))
    if summary.is_solo:
        console.print(standings("bot", list(summary.bots.items()), is_solo=True))
        console.print(ranks(summary))
    else:
        seated = ["" if setting.is_swapped else f" ({name})" for name in setting.bots]
        seats = [(f"{seat}{seated[seat]}", standing) for seat, standing in enumerate(summary.seats)]
        console.print(standings("seat", seats, is_solo=False))
        console.print(standings("bot", list(summary.bots.items()), is_solo=False))
    decisions = summary.decisions
    console.print(
        say(
            "simulate.length",
            rounds=f"{summary.rounds.mean():.0f}",
            decisions=f"{decisions.mean():.1f}",
            least=decisions.least,
            most=decisions.most,
        )
    )


def columns(*names: str) -> Table:
    """A table whose first column is a name and whose others are figures."""
    table = Table()
    for name in names:
        table.add_column(say(f"simulate.{name}"), justify="left" if name == names[0] else "right")
    return table


def standings(whose: str, rows: list[tuple[str, Standing]], *, is_solo: bool) -> Table:
    table = columns(whose, "number", "score", "sd", "least", "most", *(() if is_solo else ("wins", "share")))
    for name, standing in rows:
        scores = standing.scores
        figures = [f"{scores.mean():.2f}", f"{scores.deviation():.2f}", str(scores.least), str(scores.most)]
        if not is_solo:
            figures += [f"{standing.wins():.1f}", f"{standing.wins() / scores.count:.1%}"]
        table.add_row(name, str(scores.count), *figures)
    return table


def ranks(summary: Summary) -> Table:
    table = columns("rank", "number", "share")
    for rank, count in summary.ranks.items():
        table.add_row(say(f"simulate.rank.{rank}"), str(count), f"{count / summary.games:.1%}")
    return table
