"""Write the page's copy of the Collector catalogue; with --check only compare.

python scripts/collectors.py [--check]
"""

import json
import sys
from pathlib import Path
from typing import Any

from royalcrypt.locales import NUMBERS
from royalcrypt.notation.cards import LETTERS, SIDES
from royalcrypt.notation.moves import ERRANDS
from royalcrypt.rules import catalogue
from royalcrypt.rules.catalogue import COLLECTORS, CollectorSide, Steps

TARGET = Path(__file__).parents[1] / "web" / "src" / "wire" / "collectors.ts"
BANNER = "// Made from royalcrypt.rules.catalogue by `npm run wire`; not to be edited."
VERBS = {errand: verb.value for verb, errand in ERRANDS.items()}
CONDITIONS = {
    catalogue.FIRST: ("first", None),
    catalogue.MOST_COINS: ("most", None),
    catalogue.ALONE: ("alone", "many"),
}
"""What a pictogram shows for those who meet a condition, and for the others."""


def clauses(side: CollectorSide) -> list[dict[str, Any]]:
    """The lines of a side's pictogram: so many cards bring this."""
    if not side.pays:
        return [{"cards": side.flips, "isPaid": True, "gift": {"verb": VERBS[side.reward]}}]
    met, unmet = CONDITIONS.get(side.condition, (None, None))
    return [*paid(side, side.pays, met), *paid(side, side.otherwise, unmet)]


def paid(side: CollectorSide, steps: Steps, when: str | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for cards, amount in steps:
        clause: dict[str, Any] = {"cards": cards}
        if side.unit == catalogue.EACH_CARD:
            clause["isEach"] = True
        if when is not None:
            clause["when"] = when
        found.append(clause | {"gift": gift(side, amount)})
    return found


def gift(side: CollectorSide, amount: int) -> dict[str, int]:
    if side.unit == catalogue.FINEST_CARD:
        return {"times": amount + 1}
    return {"worth": amount} if side.unit == catalogue.EACH_CARD_INSTEAD else {"coins": amount}


def text() -> str:
    sides = {
        letter: {name: clauses(side) for name, side in zip(SIDES, COLLECTORS[card_type], strict=True)}
        for card_type, letter in enumerate(LETTERS)
    }
    rows = [
        f"  {letter}{side}: {json.dumps(found)},"
        for letter, pair in sides.items()
        for side, found in pair.items()
    ]
    numbers = [f"  {name}: {number}," for name, number in NUMBERS.items()]
    return "\n".join(
        [
            BANNER,
            "",
            "/** By type and side, the lines of the pictogram. */",
            "export const CLAUSES = {",
            *rows,
            "} as const;",
            "",
            "/** Numbers that texts name. */",
            "export const NUMBERS: Readonly<Record<string, number>> = {",
            *numbers,
            "};",
            "",
        ]
    )


def main() -> None:
    if "--check" not in sys.argv:
        TARGET.write_text(text(), "utf-8")
    elif TARGET.read_text("utf-8") != text():
        sys.exit(
            f"{TARGET.name} does not fit the Collector catalogue: run `make wire` and read the difference."
        )


if __name__ == "__main__":
    main()
