"""A game record at a glance: who played, and the score sheet."""

import json
from html import escape
from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.notation.records import Record

CELL = "padding:.15em .6em;text-align:right;white-space:nowrap"


def record_sheet(record: Record) -> str:
    """As HTML that takes its colours from the page around it."""
    facts = {
        say("picture.record.players"): str(record.players),
        say("picture.record.collectors"): record.collectors,
        say("picture.record.events"): str(len(record.events)),
    }
    head = f"<b>{escape(say('picture.record', id=record.id or ''))}</b>"
    told = " · ".join(f"{escape(name)}: {escape(fact)}" for name, fact in facts.items())
    return f"<div>{head}<br>{told}{_scores(record)}</div>"


def _scores(record: Record) -> str:
    if record.result is None:
        names = ", ".join(escape(seat.name) for seat in record.seats)
        return f"<br>{names}<br>{escape(say('picture.record.running'))}"
    lines = [
        "",
        say("picture.record.treasure"),
        *(say(f"term.{name}") for name in TYPE_NAMES),
        say("picture.record.servants"),
        say("picture.record.score"),
        say("picture.record.place"),
    ]
    try:
        columns = [_figures(record, seat, record.result) for seat in range(record.players)]
    except (KeyError, IndexError, TypeError):  # What a record claims is checked when it is replayed.
        return f"<pre>{escape(json.dumps(record.result))}</pre>"
    rows = [_row(line, figures) for line, *figures in zip(lines, *columns, strict=True)]
    return f'<table style="font-size:.9em">{"".join(rows)}</table>'


def _figures(record: Record, seat: int, result: dict[str, Any]) -> list[str]:
    """A player's column."""
    parts = result["breakdown"][seat]
    told = [parts["treasure"], *(parts["collectors"][name] for name in TYPE_NAMES), parts["servants"]]
    told += [result["scores"][seat], result["places"][seat]]
    return [record.seats[seat].name, *map(str, told)]


def _row(line: str, figures: list[str]) -> str:
    cells = [f'<th style="{CELL};text-align:left">{escape(line)}</th>']
    cells += [f'<td style="{CELL}">{escape(figure)}</td>' for figure in figures]
    return f"<tr>{''.join(cells)}</tr>"
