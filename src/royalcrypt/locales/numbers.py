"""The numbers of the Collector catalogue, by the names under which texts use them.

``{pottery_a_pays_3}`` is what the third step of Pottery A pays: 8. ``{pottery_a_pays_3_coins}`` is the same
with the word for coins in its plural form: 8 coins. Callers of ``say`` do not pass these names: loading a
catalogue fills them in. The page fills them in from a generated file.
"""

from collections.abc import Iterator

from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.catalogue import COLLECTORS, Steps

COINS = "_coins"


def _numbered(name: str, steps: Steps) -> Iterator[tuple[str, int]]:
    for number, (cards, amount) in enumerate(steps, 1):
        suffix = f"_{number}" if number > 1 else ""
        yield f"{name}_cards{suffix}", cards
        yield f"{name}_pays{suffix}", amount


def _named() -> Iterator[tuple[str, int]]:
    for card_type in Type:
        for side in Side:
            entry = COLLECTORS[card_type][side]
            name = f"{card_type.name}_{side.name}".lower()
            yield from _numbered(name, entry.pays)
            if entry.otherwise:
                yield f"{name}_else", entry.otherwise[-1][1]
            if entry.flips:
                yield f"{name}_flips", entry.flips


NUMBERS: dict[str, int] = dict(_named())
