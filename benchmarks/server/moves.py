"""Choices at random, read off a view as far as they need it."""

import random
from typing import Any, TypedDict

import msgspec

from royalcrypt.play.view_changes import apply_changes
from royalcrypt.rules import actions as codes

View = dict[str, Any]


class Known(TypedDict, total=False):
    """The part of a view, or of its changes, that somebody needs who does not care what they do."""

    seat: int
    actions: list[int]
    form: Any
    seats: Any


class Received(msgspec.Struct):
    """A table message: with the complete view, or with its changes."""

    ply: int
    view: Known | None = None
    changes: Known = {}


read = msgspec.json.Decoder(Received).decode
PAYMENT = {"peek": ("M", 1), "mend": ("R", 2), "reroll": ("I", 1), "take": ("P", 2)}


class Memory:
    """What one seat knows. Messages are only stored, and decoded when the seat has to act."""

    def __init__(self) -> None:
        self.ply = 0
        self.view: Any = None
        self._unread: list[bytes] = []

    def add(self, message: bytes, *, is_complete: bool) -> None:
        """``is_complete`` means that the message has the whole view, so that earlier ones do not matter."""
        if is_complete:
            self._unread.clear()
        self._unread.append(message)

    def recall(self) -> None:
        """Bring the view up to date."""
        for message in self._unread:
            received = read(message)
            self.ply = received.ply
            self.view = received.view or apply_changes(self.view, received.changes)
        self._unread.clear()


def act(table: str, memory: Memory, number: int, chance: random.Random) -> bytes:
    """The message for a legal move."""
    memory.recall()
    return msgspec.json.encode(
        {
            "type": "act",
            "table": table,
            "ply": memory.ply,
            "actions": [action(memory.view, chance)],
            "id": number,
        }
    )


def action(view: View, chance: random.Random) -> dict[str, object]:
    code = chance.choice(view["actions"])
    if code < codes.DONE:
        return {"do": "claim", "place": placements(view, code, chance)}
    if code in (codes.RECOVER, codes.DECLINE):
        return {"do": "recover" if code == codes.RECOVER else "decline"}
    if code in (codes.PEEK, codes.MEND):
        verb = "peek" if code == codes.PEEK else "mend"
        return {"do": verb, "flip": flips(view, verb)}
    verb, first = ("reroll", codes.REROLL) if code >= codes.REROLL else ("take", codes.TAKE)
    return {"do": verb, "slot": code - first, "flip": flips(view, verb)}


def placements(view: View, code: int, chance: random.Random) -> list[dict[str, int]]:
    """One card, and every other time a second one if there are servants left."""
    form = view["form"]
    placed = [code]
    left = form["ready"] - codes.placed_dice(code)
    if left and not form["one_card_only"] and chance.random() < 0.5:
        more = [
            other
            for other in view["actions"]
            if other < codes.DONE
            and codes.placed_slot(other) > codes.placed_slot(code)
            and codes.placed_dice(other) <= left
        ]
        placed += more[:1]
    return [
        {
            "slot": codes.placed_slot(each),
            "dice": codes.placed_dice(each),
            "effort": codes.placed_effort(each),
        }
        for each in placed
    ]


def flips(view: View, verb: str) -> list[int]:
    letter, count = PAYMENT[verb]
    mine = view["seats"][view["seat"]]["cards"]
    values = (card["value"] or 0 for card in mine if card["type"] == letter and not card["is_flipped"])
    return sorted(values)[:count]
