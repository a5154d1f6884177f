"""Specifications of studies: the games to play, and the resulting tables, figures and texts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from typing import Any

import numpy as np

from royalcrypt.bots.ratings import FILE, load_ratings
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.estimates import Array, Estimate
from royalcrypt.lab.studies.figures import Chart, render
from royalcrypt.lab.studies.games import DealBatch
from royalcrypt.lab.studies.results import Picture, ResultColumn, ResultTable, Section, Study
from royalcrypt.lab.worker_pools import WorkerPool
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

Columns = dict[str, Array]
"""The observations as arrays by column, with one entry per row."""
Rows = Iterable[tuple[Any, ...]]
"""Rows as tuples in the order of the columns."""
NAMES = ("collectors", "cards", "solo", "seats", "effort", "recover", "setups")


@dataclass(frozen=True)
class Plan:
    """The parameters that determine all figures of a study."""

    deals: Mapping[int, int]
    """The number of deals by number of players."""
    seed: int
    bot: str = BOT


class TableSpec:
    """A table: its columns, and the function that computes the rows for one number of players."""

    def __init__(
        self,
        name: str,
        rows: Callable[[Columns], Rows],
        *columns: ResultColumn,
        is_long: bool = False,
        is_split: bool = False,
        drops_unknown: bool = False,
    ) -> None:
        self.name = name
        self.rows = rows
        self.columns = columns
        self.names = ("players", *(column.name for column in columns))
        self.is_long = is_long
        self.is_split = is_split
        """Whether each number of players has a separate table, instead of a first column."""
        self.drops_unknown = drops_unknown
        """Whether rows without any known estimate are omitted."""


class SectionSpec:
    """A section of a study: tables, and charts of the first table's rows."""

    def __init__(self, name: str, *parts: TableSpec | Chart) -> None:
        self.name = name
        self.tables = [part for part in parts if isinstance(part, TableSpec)]
        self.charts = [part for part in parts if isinstance(part, Chart)]


@dataclass(frozen=True, kw_only=True)
class Question:
    """The specification of a study. The keys of its texts begin with ``study.<name>``."""

    name: str
    deals: Mapping[int, int]
    """The number of deals, by number of players, that two cores play in about two minutes."""
    observe: Callable[[DealBatch], Columns]
    sections: tuple[SectionSpec, ...]
    findings: tuple[Callable[["Observations"], Iterable[str]], ...]
    """Functions that return sentences about the results for one number of players."""
    games: Callable[["Observations"], int] = attrgetter("deals")
    """The number of games played, including the counterfactual ones."""
    details: dict[str, Any] = field(default_factory=dict[str, Any])
    """The parameters of the texts."""
    company: tuple[int, int] = (2, 4)
    """The lowest and highest number of players that the study supports."""
    batch_size: int = 25
    any_bot: bool = False
    """Whether the study supports bots that are not part of the kernel."""

    @property
    def title(self) -> str:
        return self.text("title")

    def text(self, key: str, **details: Any) -> str:
        return say(f"study.{self.name}.{key}", **(self.details | details))

    def answer(self, found: Mapping[int, Columns], plan: Plan) -> Study:
        """Convert observations by number of players to tables, figures and text."""
        several = [Observations(self, players, plan.deals[players], one) for players, one in found.items()]
        return Study(
            self.name,
            self.title,
            self.text("asked"),
            [sentence for finding in self.findings for one in several for sentence in finding(one)],
            [
                Section(
                    self.text(f"{section.name}.heading"),
                    self.text(f"{section.name}.words").split("\n"),
                    [
                        self._picture(chart, group, section.tables[0])
                        for chart in section.charts
                        for group in _groups(several, is_split=chart.is_split)
                    ],
                    [
                        self._table(table, group)
                        for table in section.tables
                        for group in _groups(several, is_split=table.is_split)
                    ],
                )
                for section in self.sections
            ],
            self.text("method").split("\n"),
            self.text("limits").split("\n"),
            sum(map(self.games, several)),
            self.text("player", strength=strength_of(plan.bot), heir=strength_of(BOT)),
        )

    def _picture(self, chart: Chart, group: "list[Observations]", table: TableSpec) -> Picture:
        rows = [row for one in group for row in one.rows[table.name]]
        first, most = group[0], group[-1].players
        name = f"{self.name}-{chart.name}" + (f"-{first.players}" if chart.is_split else "")
        alt = first.text(f"picture.{chart.name}.alt", most=most, **chart.details(rows))
        return Picture(render(chart, rows, name, alt), first.text(f"picture.{chart.name}.caption"))

    def _table(self, table: TableSpec, group: "list[Observations]") -> ResultTable:
        columns = tuple(column for column in table.columns if column.heading)
        if not table.is_split and self.company != (1, 1):
            columns = (ResultColumn("players", "Players"), *columns)
        rows = [
            tuple(row[column.name] for column in columns) for one in group for row in one.rows[table.name]
        ]
        if table.drops_unknown:
            rows = [row for row in rows if any(isinstance(cell, Estimate) and cell.is_known for cell in row)]
        return ResultTable(
            f"{table.name}_{group[0].players}" if table.is_split else table.name,
            group[0].text(f"table.{table.name}"),
            columns,
            rows,
            table.is_long,
        )


class Observations:
    """The observations for one number of players, and the table rows computed from them."""

    def __init__(self, question: Question, players: int, deals: int, columns: Columns) -> None:
        self.question = question
        self.players = players
        self.deals = deals
        self.columns = columns
        self.rows: dict[str, list[dict[str, Any]]] = {}
        """The rows of each table, by table name."""
        for table in (table for section in question.sections for table in section.tables):
            rows = [dict(zip(table.names, (players, *row), strict=True)) for row in table.rows(columns)]
            self.rows[table.name] = rows

    def text(self, key: str, **details: Any) -> str:
        players = self.players
        company = "Alone" if players == 1 else f"With {players} players"
        return self.question.text(
            key, players=players, company=company, fair=Estimate(1 / players), **details
        )


def _groups(several: "list[Observations]", *, is_split: bool) -> list["list[Observations]"]:
    return [[one] for one in several] if is_split else [several]


def question_named(name: str) -> Question:
    if name not in NAMES:
        raise Refusal(Reason.NO_SUCH_STUDY, name=name, names=", ".join(NAMES))
    return import_module(f"royalcrypt.lab.studies.{name}").QUESTION


def batches_of(name: str, plan: Plan) -> list[DealBatch]:
    """The tasks of a study, equal for any number of workers."""
    size = question_named(name).batch_size
    return [
        DealBatch(name, players, range(first, min(first + size, deals)), plan.seed, plan.bot)
        for players, deals in plan.deals.items()
        for first in range(0, deals, size)
    ]


def play_deals(batch: DealBatch) -> Columns:
    return question_named(batch.question).observe(batch)


def study(name: str, plan: Plan, pool: WorkerPool, advance: Callable[[int], None] = lambda _: None) -> Study:
    """Play the games of a study and answer it; ``advance`` is called with the numbers of finished deals."""
    found: dict[int, list[Columns]] = {players: [] for players in plan.deals}
    batches = batches_of(name, plan)
    for batch, columns in zip(batches, pool.map(play_deals, batches), strict=True):
        found[batch.players].append(columns)
        advance(len(batch.deals))
    return question_named(name).answer({players: joined(one) for players, one in found.items()}, plan)


def joined(several: list[Columns]) -> Columns:
    return {name: np.concatenate([one[name] for one in several]) for name in several[0]}


def strength_of(bot: str) -> str:
    """A text with the bot's ratings."""
    ratings = load_ratings(FILE)
    rated = [
        f"{rivalry.ratings[bot].rating} with {players} players"
        for players, rivalry in (("two", ratings.two), ("four", ratings.four))
        if bot in rivalry.ratings
    ]
    if not rated:
        return f"the bot {bot}, which has no rating"
    strength = f"the bot {bot}, rated {' and '.join(rated)} where random players have 1000"
    best = max(ratings.two.ratings.items(), key=lambda one: one[1].rating, default=None)
    if best is None or best[0] == bot:
        return strength
    return f"{strength}; the strongest, {best[0]} {best[1].rating}, was too slow for so many games"
