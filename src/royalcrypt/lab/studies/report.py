"""A report of studies: one HTML file that needs nothing else, and the figures as CSV beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from royalcrypt.lab.studies.answers import Cell, Column, Estimate, Picture, Section, Study, Table, told
from royalcrypt.locales import say

REPORT = "report.html"


@dataclass(frozen=True)
class Facts:
    """How to get the same again."""

    command: str
    seed: int
    version: str


def write_report(folder: Path, studies: Sequence[Study], facts: Facts) -> list[Path]:
    """What was written: the report first."""
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / REPORT
    written = [report]
    for study in studies:
        for table in study.tables:
            file = folder / csv_name(study, table)
            file.write_text(table.to_csv(), encoding="utf-8", newline="")
            written.append(file)
    report.write_text(page(studies, facts), encoding="utf-8", newline="")
    return written


def csv_name(study: Study, table: Table) -> str:
    return f"{study.name}-{table.name}.csv"


def page(studies: Sequence[Study], facts: Facts) -> str:
    style = (files("royalcrypt.lab.studies") / "report.css").read_text(encoding="utf-8")
    title = f"{studies[0].title} – Royal Crypt" if len(studies) == 1 else say("study.report.heading")
    links = [f'<li><a href="#{study.name}">{escape(study.title)}</a></li>' for study in studies]
    contents = f'<nav aria-label="Studies"><ul>{"".join(links)}</ul></nav>' if len(studies) > 1 else ""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            "<header>",
            f"<h1>{escape(say('study.report.heading'))}</h1>",
            f'<p class="lead">{escape(say("study.report.lead"))}</p>',
            contents,
            "</header>",
            "<main>",
            *map(article, studies),
            "</main>",
            "<footer>",
            _facts(("Command", f"<code>{escape(facts.command)}</code>"), ("Seed", str(facts.seed)),
                   ("Version", escape(facts.version))),
            f"<p>{escape(say('study.report.again'))}</p>",
            "</footer>",
            "</body>",
            "</html>",
            "",
        ]
    )  # fmt: skip


def article(study: Study) -> str:
    return "\n".join(
        [
            f'<article class="study" id="{study.name}">',
            f"<h2>{escape(study.title)}</h2>",
            f'<p class="lead">{escape(study.question)}</p>',
            '<ul class="findings">',
            *(f"<li>{escape(finding)}</li>" for finding in study.findings),
            "</ul>",
            *(section(study, one) for one in study.sections),
            '<div class="notes">',
            f"<h3>{escape(say('study.report.method'))}</h3>",
            *_paragraphs(study.method),
            f"<h3>{escape(say('study.report.limits'))}</h3>",
            *_paragraphs(study.limits),
            _facts(("Games", f"{study.games:,}"), ("Player", escape(study.player))),
            "</div>",
            "</article>",
        ]
    )


def section(study: Study, one: Section) -> str:
    pictures = f'<div class="pictures">{"".join(map(figure, one.pictures))}</div>' if one.pictures else ""
    return "\n".join(
        [
            "<section>",
            f"<h3>{escape(one.heading)}</h3>",
            *_paragraphs(one.words),
            pictures,
            *(sheet(study, table) for table in one.tables),
            "</section>",
        ]
    )


def figure(picture: Picture) -> str:
    return f"<figure>\n{picture.svg}<figcaption>{escape(picture.caption)}</figcaption>\n</figure>\n"


def sheet(study: Study, table: Table) -> str:
    """The figures for people; long ones are folded away."""
    name = escape(csv_name(study, table))
    source = f'<p class="small">Also in <a href="{name}" download>{name}</a></p>'
    label = escape(table.caption)
    body = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{_table(table)}</div>'
    if not table.is_long:
        return body + source
    summary = f"{escape(table.caption)}: all {len(table.rows)} rows"
    return f"<details><summary>{summary}</summary>{body}{source}</details>"


def _table(table: Table) -> str:
    names = [isinstance(row, str) for row in table.rows[0]] if table.rows else [False] * len(table.columns)
    head = "".join(
        f'<th scope="col"{_class(is_name)}>{escape(column.heading)}</th>'
        for column, is_name in zip(table.columns, names, strict=True)
    )
    rows = "".join(
        _row(table, row, is_next=before is not None and not names[0] and before[0] != row[0])
        for before, row in zip((None, *table.rows), table.rows, strict=False)
    )
    return (
        f"<table><caption>{escape(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody></table>"
    )


def _row(table: Table, row: tuple[Cell, ...], *, is_next: bool) -> str:
    """Rows about another number of players are set apart."""
    cells = "".join(_cell(column, cell) for column, cell in zip(table.columns, row, strict=True))
    opened = '<tr class="next">' if is_next else "<tr>"
    return f"{opened}{cells}</tr>\n"


def _class(is_name: bool) -> str:  # noqa: FBT001 (one thing, said once)
    return ' class="name"' if is_name else ""


def _cell(column: Column, cell: Cell) -> str:
    if isinstance(cell, Estimate):
        value, _, rest = told(cell, column.form).partition(" ")
        return f'<td>{value} <span class="small">{rest}</span></td>' if rest else f"<td>{value}</td>"
    if isinstance(cell, str):
        return f'<th scope="row" class="name">{escape(cell)}</th>'
    if isinstance(cell, float):
        return f"<td>{told(Estimate(cell, float('nan'), float('nan'), 0), column.form or '.2f')}</td>"
    return f"<td>{cell}</td>"


def _paragraphs(words: Iterable[str]) -> list[str]:
    return [f"<p>{escape(paragraph)}</p>" for paragraph in words]


def _facts(*facts: tuple[str, str]) -> str:
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in facts) + "</dl>"
