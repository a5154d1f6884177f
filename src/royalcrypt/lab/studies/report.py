"""Reports of studies: one HTML file without external resources, and CSV files with its tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from royalcrypt.lab.studies.estimates import Estimate
from royalcrypt.lab.studies.results import Cell, Picture, ResultColumn, ResultTable, Section, Study
from royalcrypt.locales import say

REPORT = "report.html"


@dataclass(frozen=True)
class Facts:
    """The parameters for reproducing a report."""

    command: str
    seed: int
    version: str


def write_report(folder: Path, studies: Sequence[Study], facts: Facts) -> list[Path]:
    """Write the report; return the paths of its files, the HTML file first."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {REPORT: page(studies, facts)}
    contents |= {csv_name(study, table): table.to_csv() for study in studies for table in study.tables}
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return [folder / name for name in contents]


def csv_name(study: Study, table: ResultTable) -> str:
    return f"{study.name}-{table.name}.csv"


def page(studies: Sequence[Study], facts: Facts) -> str:
    style = (files("royalcrypt.lab.studies") / "report.css").read_text(encoding="utf-8")
    title = f"{studies[0].title} – Royal Crypt" if len(studies) == 1 else say("study.report.heading")
    links = "".join(f'<li><a href="#{study.name}">{escape(study.title)}</a></li>' for study in studies)
    contents = f'<nav aria-label="Studies"><ul>{links}</ul></nav>' if len(studies) > 1 else ""
    command = f"<code>{escape(facts.command)}</code>"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(say("study.report.heading"))}</h1>
<p class="lead">{escape(say("study.report.lead"))}</p>
{contents}
</header>
<main>
{_lines(map(article, studies))}
</main>
<footer>
{_facts(Command=command, Seed=str(facts.seed), Version=escape(facts.version))}
<p>{escape(say("study.report.again"))}</p>
</footer>
</body>
</html>
"""


def article(study: Study) -> str:
    return f"""<article class="study" id="{study.name}">
<h2>{escape(study.title)}</h2>
<p class="lead">{escape(study.question)}</p>
<ul class="findings">
{_elements("li", study.findings)}
</ul>
{_lines(section_html(study, section) for section in study.sections)}
<div class="notes">
<h3>{escape(say("study.report.method"))}</h3>
{_elements("p", study.method)}
<h3>{escape(say("study.report.limits"))}</h3>
{_elements("p", study.limits)}
{_facts(Games=f"{study.games:,}", Player=escape(study.player))}
</div>
</article>"""


def section_html(study: Study, section: Section) -> str:
    return f"""<section>
<h3>{escape(section.heading)}</h3>
{_elements("p", section.paragraphs)}
<div class="pictures">{"".join(map(figure, section.pictures))}</div>
{_lines(table_with_source(study, table) for table in section.tables)}
</section>"""


def figure(picture: Picture) -> str:
    return f"<figure>\n{picture.svg}<figcaption>{escape(picture.caption)}</figcaption>\n</figure>\n"


def table_with_source(study: Study, table: ResultTable) -> str:
    """The table as HTML with a link to its CSV file; long tables are collapsed."""
    name, label = escape(csv_name(study, table)), escape(table.caption)
    source = f'<p class="small">Also in <a href="{name}" download>{name}</a></p>'
    body = f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table_html(table)}</div>'
    if not table.is_long:
        return body + source
    return f"<details><summary>{label}: all {len(table.rows)} rows</summary>{body}{source}</details>"


def table_html(table: ResultTable) -> str:
    """The table as HTML: text columns are row headers, and numbers of players are separated."""
    first = table.rows[0] if table.rows else (0,) * len(table.columns)
    head = "".join(
        f'<th scope="col"{_name_class(cell)}>{escape(column.heading)}</th>'
        for column, cell in zip(table.columns, first, strict=True)
    )
    rows = ""
    for before, row in zip((first, *table.rows), table.rows, strict=False):
        is_next = not isinstance(row[0], str) and before[0] != row[0]
        cells = map(_cell, table.columns, row)
        rows += ('<tr class="next">' if is_next else "<tr>") + "".join(cells) + "</tr>\n"
    return (
        f"<table><caption>{escape(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody></table>"
    )


def _name_class(cell: Cell) -> str:
    return ' class="name"' if isinstance(cell, str) else ""


def _cell(column: ResultColumn, cell: Cell) -> str:
    if isinstance(cell, str):
        return f'<th scope="row" class="name">{escape(cell)}</th>'
    if isinstance(cell, float):
        return f"<td>{Estimate(cell):{column.form}}</td>"
    if isinstance(cell, int):
        return f"<td>{cell}</td>"
    value, _, rest = format(cell, column.form).partition(" ")
    return f'<td>{value} <span class="small">{rest}</span></td>' if rest else f"<td>{value}</td>"


def _elements(tag: str, texts: Iterable[str]) -> str:
    return _lines(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(texts)


def _facts(**facts: str) -> str:
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{fact}</dd>" for name, fact in facts.items()) + "</dl>"
