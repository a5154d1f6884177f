"""What a seat may know, from what happened and R11 alone; and whether anything else ever reached its page."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from royalcrypt.play.view_changes import apply_changes

Json = dict[str, Any]


class Knowledge:
    """Follows a finished or running game (RECORD.md) from one seat; None watches."""

    def __init__(self, truth: Json, seat: int | None) -> None:
        self.events: list[Json] = truth["events"]
        self.seat = seat
        self.cards: list[str] = []
        """Every card that was dealt, by its number."""
        self.known: set[int] = set()
        self.flips: Counter[tuple[int, str]] = Counter()
        """Cards that were flipped before everybody, by whom."""
        self.is_over = False
        self._told = 0
        self._row = 0
        self._down: set[int] = set()
        self._held: dict[tuple[int, int], list[int]] = {}
        self._holders: dict[int, int] = {}

    def hear(self, until: int) -> None:
        """All events up to this one happened."""
        for event in self.events[self._told : until + 1]:
            self._take_in(event)
        self._told = max(self._told, until + 1)

    def may_see(self, number: int, *, is_flipped: bool = True) -> bool:
        """Its value. Its holder flipped one of the kind: maybe this one, unless it is shown as unflipped."""
        return self.is_over or number in self.known or (is_flipped and self._was_flipped(number))

    def collected(self, seat: int, nth_event: int) -> list[int]:
        """Numbers of the cards of a collect event, by slot."""
        return self._held[seat, nth_event]

    def first_of_row(self, nth_event: int) -> int:
        """The number of the first card of a reveal event's row."""
        reveals = (event for event in self.events[:nth_event] if event["type"] == "reveal")
        return sum(len(event["row"]) for event in reveals)

    def _was_flipped(self, number: int) -> bool:
        """By its holder: even what was just taken can pay for a re-roll, before everybody's eyes (R8.1A)."""
        holder = self._holders.get(number)
        return holder is not None and self.flips[holder, self.cards[number]] > 0

    def _take_in(self, event: Json) -> None:
        by: int | None = event.get("seat")
        if by is not None:
            self.flips.update((by, card) for card in event.get("flip", ()))
        match event["type"]:
            case "reveal":
                self._row = len(self.cards)
                self.cards += event["row"]
                self._down = {self._row + slot for slot in event["down"]}
                self.known |= {self._row + slot for slot in range(len(event["row"]))} - self._down
                self._rolled: dict[int, set[int]] = {}
            case "peek" if by == self.seat:
                self.known |= self._down
            case "take":
                self._down.discard(self._row + event["slot"])
                self._holders[self._row + event["slot"]] = event["seat"]
                if by == self.seat:
                    self.known.add(self._row + event["slot"])
            case "roll":
                # Every card that somebody holds has its roll (RECORD.md); it is theirs from then on (R6.5).
                self._rolled.setdefault(event["seat"], set()).add(self._row + event["slot"])
                self._holders[self._row + event["slot"]] = event["seat"]
                if by == self.seat:
                    self.known.add(self._row + event["slot"])
            case "collect":
                self._held[event["seat"], event["n"]] = sorted(self._rolled.get(event["seat"], ()))
            case "idols":
                for seat, cards in event["flips"].items():
                    self.flips.update((int(seat), card) for card in cards)
            case "end":
                self.is_over = True
            case _:
                pass


def leaks(truth: Json, heard: Sequence[str], table: str) -> Iterator[str]:
    """Everything in these messages about a table that their reader could not know when they came."""
    knowledge: Knowledge | None = None
    view: Json = {}
    until = -1
    secrets = [text for text in (truth.get("secret"), truth["fairness"].get("seed")) if text]
    for raw in heard:
        message: Json = json.loads(raw)
        if message.get("table") != table:
            continue
        if message.get("you"):
            seat = message["you"]["seat"]
            if knowledge is None or knowledge.seat != seat:
                knowledge = Knowledge(truth, seat)
        events: list[Json] = message.get("events") or []
        until = max([until, *(event["n"] for event in events)])
        if knowledge is None:
            continue
        knowledge.hear(until)
        if not knowledge.is_over:
            yield from (f"the secret is in {raw[:200]}" for secret in secrets if secret in raw)
        for event in events:
            yield from _in_event(knowledge, event)
        if message.get("view"):
            view = message["view"]
        elif message.get("changes"):
            view = apply_changes(view, message["changes"])
        else:
            continue
        yield from _in_view(knowledge, view)


def _in_view(knowledge: Knowledge, view: Json) -> Iterator[str]:
    if view["seat"] != knowledge.seat:
        yield f"the view of seat {view['seat']} was shown to {knowledge.seat}"
    shown: list[Json] = [place["card"] for place in view["row"] if place["card"]]
    shown += [card for heir in view["seats"] for card in heir["cards"]]
    shown += view["discards"]
    for card in shown:
        if card["value"] is None:
            continue
        written = f"{card['type']}{card['value']}"
        where = f"card {card['number']} ({written}) in round {view['round']}"
        if knowledge.cards[card["number"]] != written:
            yield f"{where} is none of the game"
        if not knowledge.may_see(card["number"], is_flipped=card.get("is_flipped", False)):
            yield f"{where} was shown to seat {knowledge.seat}"


def _in_event(knowledge: Knowledge, event: Json) -> Iterator[str]:
    numbers: list[int] = []
    cards: list[str] = []
    if event["type"] == "reveal":
        cards = event["row"]
        first = knowledge.first_of_row(event["n"])
        numbers = list(range(first, first + len(cards)))
    elif event["type"] == "collect":
        cards = event["cards"]
        numbers = knowledge.collected(event["seat"], event["n"])
    for number, card in zip(numbers, cards, strict=True):
        if not card.endswith("?") and not knowledge.may_see(number):
            yield f"card {number} ({card}) was told to seat {knowledge.seat} in {event}"
