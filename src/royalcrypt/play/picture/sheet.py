"""A game record at a glance: who played, and the score sheet."""

from html import escape
from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.notation.records import Record

CELL = "padding:.2em .7em;text-align:right"


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
    headings = [
        "",
        say("picture.record.place"),
        say("picture.record.score"),
        say("picture.record.treasure"),
        *(say(f"term.{name}") for name in TYPE_NAMES),
        say("picture.record.servants"),
    ]
    rows = [_row(headings, "th")]
    rows += [_row(_figures(record, seat, record.result), "td") for seat in range(record.players)]
    return f"<table>{''.join(rows)}</table>"


def _figures(record: Record, seat: int, result: dict[str, Any]) -> list[str]:
    parts = result["breakdown"][seat]
    told = [result["places"][seat], result["scores"][seat], parts["treasure"]]
    told += [parts["collectors"][name] for name in TYPE_NAMES]
    return [record.seats[seat].name, *(str(number) for number in [*told, parts["servants"]])]


def _row(cells: list[str], kind: str) -> str:
    return "<tr>" + "".join(f'<{kind} style="{CELL}">{escape(cell)}</{kind}>' for cell in cells) + "</tr>"
