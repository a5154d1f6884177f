"""Follows a table's journal by the rules alone: the oracle says whether what was kept was legal."""

import json
import re
from typing import Any

from tests.oracle.chance import choose
from tests.oracle.game import PRICE, Action, Oracle

PLACEMENT = re.compile(r"(\d):(\d)x(\d)")


class Judge:
    """Knows a table from its entries; raises Illegal at a move against the rules."""

    def __init__(self, entries: list[bytes]) -> None:
        self.ply = 0
        self.entropy: dict[int, str] = {}
        self.oracle: Oracle | None = None
        for entry in entries:
            self.adopt(entry)

    def adopt(self, raw: bytes) -> dict[str, Any]:
        entry: dict[str, Any] = json.loads(raw)
        match entry["type"]:
            case "opened":
                self.players = int(entry["settings"].get("players", 2))
                self.secret = bytes.fromhex(entry["secret"])
            case "sat":
                self.entropy[entry["seat"]] = entry["entropy"]
            case "started":
                self.oracle = Oracle(self.players, entry["collectors"], entry["leader"])
                self._draw(self.oracle)
            case "moved":
                assert self.oracle is not None
                for text in entry["move"].split("; "):
                    self._act(self.oracle, entry["seat"], text.split())
                self._draw(self.oracle)
            case _:
                pass
        self.ply += 1
        return entry

    @property
    def is_over(self) -> bool:
        return self.oracle is not None and self.oracle.actor == "over"

    def _act(self, oracle: Oracle, seat: int, words: list[str]) -> None:
        placed = [PLACEMENT.fullmatch(word) for word in words]
        if all(placed):
            for found in placed:
                assert found is not None
                slot, dice, effort = map(int, found.groups())
                oracle.apply(seat, ("place", slot - 1, dice, effort))
            if oracle.placing:
                oracle.apply(seat, ("done",))
            return
        verb, *rest = words
        slot = [int(rest.pop(0)) - 1] if verb in ("take", "reroll") else []
        oracle.apply(seat, (verb, *slot))
        for number in range(PRICE[verb][1] if verb in PRICE else 0):
            oracle.apply(seat, _flip(oracle, seat, rest[number : number + 1]))

    def _draw(self, oracle: Oracle) -> None:
        entropy = [self.entropy[seat] for seat in sorted(self.entropy)]
        while oracle.actor == "chance":
            outcomes = oracle.outcomes()
            found = choose(self.secret, entropy, oracle.address(), len(outcomes))
            oracle.apply("chance", outcomes[found])


def _flip(oracle: Oracle, seat: int, named: list[str]) -> Action:
    if named:
        return ("flip", int(named[0][1]))
    (only,) = oracle.legal(seat)  # Cards that pay need naming only where there is a choice.
    return only
