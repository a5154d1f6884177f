"""Fairness: recomputes all cards and dice of a finished game from its published secret (RECORD.md)."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import CommittedChance, SeededChance
from royalcrypt.play.replay import MALFORMED, BrokenRecord, committed_chance, dice_of, replay, seeded_chance
from royalcrypt.rules.cards import COPIES
from royalcrypt.rules.layout import FACES, VALUES

Source = CommittedChance | SeededChance
FACE_DOWN_RANK = 2.5
KINDS = tuple(f"{letter}{value}" for letter in LETTERS for value in range(1, VALUES + 1))
"""All kinds of cards, in the order that chance uses."""
UNREADABLE = (Reason.VIEWERS_RECORD, Reason.HIDDEN_VALUE, Reason.NOT_A_RECORD, Reason.WRONG_SEED)


class Finding(StrEnum):
    FAIR = "fair"
    SEEDED = "seeded"
    """All outcomes agree with the record's seed, but the seed was not committed before the game."""
    UNFAIR = "unfair"
    BROKEN = "broken"
    UNPROVEN = "unproven"
    """The record does not state the source of its chance outcomes."""
    UNFINISHED = "unfinished"
    VIEWERS = "viewers"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a record and its chance; ``n`` is the event, HEAD for the part before."""

    n: int
    what: str
    """The purpose of the chance outcome (RECORD.md), or ``commitment``."""
    recorded: str
    due: str
    round: int = 0
    seat: int = 0
    number: int = 0
    """The position of the card in its row or of the die in its event, from 1."""


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """The result of a verification; as text, one sentence."""

    finding: Finding
    difference: Difference | None = None
    why: str = ""
    seed: int = 0

    @property
    def is_good(self) -> bool:
        return self.finding in (Finding.FAIR, Finding.SEEDED)

    def __str__(self) -> str:
        found = self.difference
        if found is None:
            return say(f"fairness.{self.finding}", why=self.why, seed=self.seed)
        details = {name: getattr(found, name) for name in Difference.__slots__}
        return say(f"fairness.unfair.{found.what}", **details)


def verify(record: Record) -> FairnessReport:
    """Check that a finished game followed the rules and that all cards and dice match the commitment."""
    broken = _first_break(record)
    if broken is not None and broken.reason in UNREADABLE:
        return _refused(broken)
    try:
        proof = _proof(record)
    except Refusal as refusal:
        return _refused(refusal)
    difference = proof.difference or next(_differences(record, proof.source), None)
    if difference is not None and _is_sound_before(record, difference.n):
        return FairnessReport(Finding.UNFAIR, difference)
    if broken is not None:
        return _refused(broken)
    is_over = bool(record.events) and isinstance(record.events[-1], events.End)
    if is_over and record.result is None:
        return FairnessReport(Finding.BROKEN, why=say("check.no_result"))
    return FairnessReport(proof.finding, seed=proof.seed) if is_over else FairnessReport(Finding.UNFINISHED)


def _refused(refusal: Refusal) -> FairnessReport:
    if refusal.reason is Reason.VIEWERS_RECORD:
        return FairnessReport(Finding.VIEWERS)
    return FairnessReport(Finding.BROKEN, why=str(refusal))


def _first_break(record: Record) -> Refusal | None:
    try:
        replay(record)
    except Refusal as broken:
        return broken
    return None


def _is_sound_before(record: Record, n: int) -> bool:
    """Whether all events before event ``n`` follow the rules; broken rules take precedence."""
    if n <= 0:
        return True
    extra = {name: value for name, value in record.extra.items() if name != "moves"}
    broken = _first_break(replace(record, events=record.events[:n], result=None, extra=extra))
    return broken is None or (isinstance(broken, BrokenRecord) and broken.reason is Reason.MISSING_EVENT)


@dataclass(frozen=True, slots=True)
class Proof:
    """The source of chance that a record states, and the finding if all outcomes agree with it."""

    finding: Finding
    source: Source | None = None
    seed: int = 0
    difference: Difference | None = None


def _proof(record: Record) -> Proof:
    fairness: Any = record.extra.get("fairness", {})
    try:
        if "seed" in fairness:
            source = committed_chance(fairness["seed"], fairness)
            committed, due = str(fairness["commitment"]).lower(), source.commitment
            difference = Difference(HEAD, "commitment", committed, due) if committed != due else None
            return Proof(Finding.FAIR, source, difference=difference)
        if "chance" in record.extra and record.extra["chance"]["generator"] == "seeded":
            source = seeded_chance(record.extra["chance"])
            return Proof(Finding.SEEDED, source, source.seed)
    except MALFORMED:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="fairness") from None
    return Proof(Finding.UNPROVEN)


def _differences(record: Record, source: Source | None) -> Iterator[Difference]:
    """All differences of the record from its chance; those after the first may be consequences of it."""
    if source is None:
        return
    deck = Deck(record.players, source)
    rolled: Counter[tuple[str, int]] = Counter()
    round_number = 0
    for n, event in enumerate(record.events):
        if isinstance(event, events.Reveal):
            round_number += 1
            rolled.clear()
            yield from deck.reveal(n, round_number, event)
        for what, seat, faces in dice_of(event):
            for number, face in enumerate(faces, 1):
                due = source.choose((what, round_number, seat, rolled[what, seat]), FACES) + 1
                rolled[what, seat] += 1
                if face != due:
                    yield Difference(n, what, str(face), str(due), round_number, seat, number)


class Deck:
    """Draws the unseen cards from chance and compares the recorded cards with them."""

    def __init__(self, players: int, source: Source) -> None:
        self.is_solo = players == 1
        copies = COPIES[max(players, 2)]
        self.unseen = [kind for kind in KINDS for _ in range(copies[int(kind[1]) - 1])]
        self.source = source
        self.top: str | None = None
        """The type of the top card, drawn in advance (R1.2)."""

    def reveal(self, n: int, round_number: int, event: events.Reveal) -> Iterator[Difference]:
        if len(event.row) > len(self.unseen):
            return  # against the rules; the replay reports it
        drawn = [self._draw(round_number, index) for index in range(len(event.row))]
        up = len(drawn) - len(event.down)
        if self.is_solo:  # Highest first; of equal ones the first drawn is first (R10.3).
            ranks = [float(card[1]) if index < up else FACE_DOWN_RANK for index, card in enumerate(drawn)]
            drawn = [drawn[index] for index in sorted(range(len(drawn)), key=lambda index: -ranks[index])]
        for number, (card, due) in enumerate(zip(event.row, drawn, strict=True), 1):
            if card != due:
                yield Difference(n, "card", card, due, round_number, number=number)
        self.top = None
        if self.unseen:
            self.top = self._choose("top", round_number, 0, self.unseen)[0]
        if event.top is not None and self.top is not None and event.top != self.top:
            yield Difference(n, "top", event.top, self.top, round_number)

    def _draw(self, round_number: int, index: int) -> str:
        may_come = [card for card in self.unseen if self.top in (None, card[0])]
        card = self._choose("card", round_number, index, may_come)
        self.unseen.remove(card)
        self.top = None
        return card

    def _choose(self, what: str, round_number: int, index: int, cards: list[str]) -> str:
        return cards[self.source.choose((what, round_number, 0, index), len(cards))]
