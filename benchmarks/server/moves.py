"""Choices at random, read off a view as far as they need it."""

import random

import msgspec

from royalcrypt.rules import actions as codes


class Form(msgspec.Struct):
    ready: int
    one_card_only: bool


class Choices(msgspec.Struct):
    """What of a view somebody needs who does not care what they do."""

    seat: int
    actions: list[int]
    form: Form | None
    seats: msgspec.Raw


class Told(msgspec.Struct):
    ply: int
    view: Choices


class Card(msgspec.Struct):
    type: str
    value: int | None
    is_flipped: bool


class Holding(msgspec.Struct):
    cards: list[Card]


read_told = msgspec.json.Decoder(Told).decode
read_holdings = msgspec.json.Decoder(list[Holding]).decode
PAYMENT = {"peek": ("M", 1), "mend": ("R", 2), "reroll": ("I", 1), "take": ("P", 2)}


def act(table: str, told: Told, number: int, chance: random.Random) -> bytes:
    """The message for a legal move."""
    return msgspec.json.encode(
        {
            "type": "act",
            "table": table,
            "ply": told.ply,
            "actions": [action(told.view, chance)],
            "id": number,
        }
    )


def action(view: Choices, chance: random.Random) -> dict[str, object]:
    code = chance.choice(view.actions)
    if code < codes.DONE:
        return {"do": "claim", "place": placements(view, code, chance)}
    if code in (codes.RECOVER, codes.DECLINE):
        return {"do": "recover" if code == codes.RECOVER else "decline"}
    if code in (codes.PEEK, codes.MEND):
        verb = "peek" if code == codes.PEEK else "mend"
        return {"do": verb, "flip": flips(view, verb)}
    verb, first = ("reroll", codes.REROLL) if code >= codes.REROLL else ("take", codes.TAKE)
    return {"do": verb, "slot": code - first, "flip": flips(view, verb)}


def placements(view: Choices, code: int, chance: random.Random) -> list[dict[str, int]]:
    """One card, and every other time a second one if there are servants left."""
    assert view.form is not None
    placed = [code]
    left = view.form.ready - codes.placed_dice(code)
    if left and not view.form.one_card_only and chance.random() < 0.5:
        more = [
            other
            for other in view.actions
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


def flips(view: Choices, verb: str) -> list[int]:
    letter, count = PAYMENT[verb]
    mine = read_holdings(view.seats)[view.seat].cards
    return sorted(card.value or 0 for card in mine if card.type == letter and not card.is_flipped)[:count]
