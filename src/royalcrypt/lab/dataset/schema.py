"""The schema of a data set: all columns of its tables."""

from typing import Any

import numpy as np

from royalcrypt.lab.dataset.plans import DatasetPlan
from royalcrypt.lab.dataset.rows import Columns, Rows
from royalcrypt.lab.frames import arrow
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, SIDES, TYPE_NAMES
from royalcrypt.notation.moves import Move
from royalcrypt.rules.actions import ACTIONS, DONE, FLIP
from royalcrypt.rules.layout import KINDS, TYPES
from royalcrypt.rules.phases import Phase

GAMES, SEATS, DECISIONS = NAMES = ("games", "seats", "decisions")
WORD = "dictionary<string>"
"""The column type for text with few different values."""
TYPES_OF: dict[str, dict[str, str]] = {
    GAMES: {
        "game": "int32", "seed": "int64", "bot": WORD, "players": "int8", "collectors": WORD,
        "leader": "int8", "rounds": "int8", "decisions": "int16", "scores": "list<int16>",
        "winners": "list<int8>", "steps": "list<uint8>",
    },
    SEATS: {
        "game": "int32", "seat": "int8", "score": "int16", "place": "int8", "is_winner": "bool",
        "treasure": "int16", "servants": "int8",
        **{f"bonus_{word}": "int8" for word in TYPE_NAMES},
        **{f"held_{word}": "int8" for word in TYPE_NAMES},
    },
    DECISIONS: {
        "game": "int32", "decision": "int16", "step": "int16", "round": "int8", "seat": "int8", "phase": WORD,
        "action": "uint8", "legal": "uint8", "win": "float", "score": "float",
    },
}  # fmt: skip
"""The Arrow type of each column, by table."""
SET_UPS = [
    "".join(SIDES[number >> card_type & 1] for card_type in range(TYPES)) for number in range(1 << TYPES)
]
PHASES = [phase.name.lower() for phase in Phase]


def meaning(table: str, column: str) -> str:
    """The description of a column."""
    for name in ("bonus", "held"):
        if column.startswith(f"{name}_"):
            return say(f"dataset.column.seats.{name}", type=column.partition("_")[2].capitalize())
    return say(f"dataset.column.{table}.{column}")


def action_names() -> list[str]:
    """The names of actions by code; separate names exist for the end of a claim and for a paid card."""
    return [_action_name(code) for code in range(ACTIONS)]


def _action_name(code: int) -> str:
    if code == DONE:
        return "done"
    if code >= FLIP:
        return f"flip {code - FLIP + 1}"
    return str(Move.from_codes([code]))


def kind_names() -> list[str]:
    return [f"{LETTERS[kind // (KINDS // TYPES)]}{kind % (KINDS // TYPES) + 1}" for kind in range(KINDS)]


def arrow_tables(plan: DatasetPlan, rows: Rows) -> dict[str, Any]:
    """The Arrow tables with these rows, by name."""
    games = dict(rows.games)
    seats = rows.seats
    count = len(games["game"])
    found = {
        **games,
        "seed": np.full(count, plan.seed),
        "bot": (np.zeros(count, np.int8), [plan.bot]),
        "collectors": (games["collectors"], SET_UPS),
        "scores": (games["players"], seats["score"]),
        "winners": _winners(games, seats),
        "steps": (games["length"], games["steps"]),
    }
    decisions = {**rows.decisions, "phase": (rows.decisions["phase"], PHASES)}
    values: dict[str, dict[str, Any]] = {GAMES: found, SEATS: dict(seats), DECISIONS: decisions}
    lengths = {GAMES: count, SEATS: len(seats["game"]), DECISIONS: len(decisions["game"])}
    return {
        name: arrow().table(
            {
                column: _array(values[name].get(column), kind, lengths[name])
                for column, kind in TYPES_OF[name].items()
            }
        )
        for name in NAMES
    }


def _winners(games: Columns, seats: Columns) -> Any:
    is_winner = seats["is_winner"] == 1
    ends = np.cumsum(games["players"])
    counts = np.add.reduceat(is_winner.astype(np.int32), ends - games["players"])
    return counts, seats["seat"][is_winner]


def _array(values: Any, kind: str, length: int) -> Any:
    pa = arrow()
    if kind == WORD:
        numbers, words = values
        return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int8)), pa.array(words))
    if kind.startswith("list"):
        lengths, flat = values
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        inner = kind[len("list<") : -1]
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat.astype(inner)))
    if values is None:
        return pa.nulls(length, pa.float32())
    return pa.array(values.astype({"bool": np.bool_, "float": np.float32}.get(kind, kind)))
