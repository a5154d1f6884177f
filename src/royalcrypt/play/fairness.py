"""Fairness: recomputes every card and die of a finished game from its published secret.

This reads the record alone and follows RECORD.md (Chance), apart from the code that brought its outcomes.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from royalcrypt.locales import say
from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.events import Event
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import BrokenRecord, replay
from royalcrypt.rules.cards import COPIES
from royalcrypt.rules.chance import Purpose, game_key, keyed_choice
from royalcrypt.rules.layout import FACES, GHOST, VALUES

WORDS = 1 << 32
FACE_DOWN_RANK = 2.5
KINDS = tuple(f"{letter}{value}" for letter in LETTERS for value in range(1, VALUES + 1))
"""In the order in which chance draws."""
UNREADABLE = (Reason.VIEWERS_RECORD, Reason.HIDDEN_VALUE, Reason.NOT_A_RECORD, Reason.WRONG_SEED)


class Finding(StrEnum):
    FAIR = "fair"
    SEEDED = "seeded"
    """All as its seed brings it; but a seed is no secret, and nobody was bound to it."""
    UNFAIR = "unfair"
    BROKEN = "broken"
    UNPROVEN = "unproven"
    """It does not say where its chance came from."""
    UNFINISHED = "unfinished"
    VIEWERS = "viewers"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record first departs from its chance; ``n`` is the event, HEAD for what precedes the events."""

    n: int
    what: str
    """A purpose of RECORD.md, or ``commitment``."""
    recorded: str
    due: str
    round: int = 0
    seat: int = 0
    number: int = 0
    """Of the card in its row or of the die in its event, from 1."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a record is worth; as text, one sentence that says so."""

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


class Source(Protocol):
    def choose(self, purpose: Purpose, round_number: int, seat: int, index: int, outcomes: int) -> int:
        """One of so many outcomes of equal weight, from 0."""
        ...


@dataclass(frozen=True, slots=True)
class Secret:
    key: bytes = field(repr=False)
    entropy: str

    def choose(self, purpose: Purpose, round_number: int, seat: int, index: int, outcomes: int) -> int:
        attempt = 0
        while True:
            message = f"{self.entropy}|{purpose.name.lower()}|{round_number}|{seat}|{index}|{attempt}"
            digest = hmac.new(self.key, message.encode(), hashlib.sha256).digest()
            x = int.from_bytes(digest[:4], "big")
            if x < outcomes * (WORDS // outcomes):
                return x % outcomes
            attempt += 1


@dataclass(frozen=True, slots=True)
class Seed:
    """The generator of simulations, at the same addresses."""

    key: tuple[int, int]

    def choose(self, purpose: Purpose, round_number: int, seat: int, index: int, outcomes: int) -> int:
        address = ((purpose * 16 + round_number) * 8 + seat) * 256 + index
        return keyed_choice(*self.key, address << 8, outcomes)


def verify(record: Record) -> Verdict:
    """Whether a finished game followed the rules and every card and die came from what was committed to."""
    broken = _first_break(record)
    if broken is not None and broken.reason in UNREADABLE:
        return _refused(broken)
    try:
        proof = _proof(record)
    except Refusal as refusal:
        return _refused(refusal)
    difference = proof.difference or next(_differences(record, proof.source), None)
    if difference is not None and _is_sound_before(record, difference.n):
        return Verdict(Finding.UNFAIR, difference)
    return _refused(broken) if broken is not None else _played(record, proof)


def _refused(refusal: Refusal) -> Verdict:
    if refusal.reason is Reason.VIEWERS_RECORD:
        return Verdict(Finding.VIEWERS)
    return Verdict(Finding.BROKEN, why=str(refusal))


def _played(record: Record, proof: "Proof") -> Verdict:
    """Of a record without fault: how far the game came, and what its chance is worth."""
    if not record.events or not isinstance(record.events[-1], events.End):
        return Verdict(Finding.UNFINISHED)
    if record.result is None:
        return Verdict(Finding.BROKEN, why=say("check.no_result"))
    return Verdict(proof.finding, seed=proof.seed)


def _first_break(record: Record) -> Refusal | None:
    try:
        replay(record)
    except Refusal as broken:
        return broken
    return None


def _is_sound_before(record: Record, n: int) -> bool:
    """Whether the events before one follow the rules: else they are what is wrong first."""
    if n <= 0:
        return True
    extra = {name: value for name, value in record.extra.items() if name != "moves"}
    broken = _first_break(replace(record, events=record.events[:n], result=None, extra=extra))
    return broken is None or (isinstance(broken, BrokenRecord) and broken.reason is Reason.MISSING_EVENT)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a record says its chance came from, and what that is worth if all agrees with it."""

    finding: Finding
    source: Source | None = None
    seed: int = 0
    difference: Difference | None = None


def _proof(record: Record) -> Proof:
    fairness: Any = record.extra.get("fairness", {})
    try:
        if "seed" in fairness:
            secret = bytes.fromhex(fairness["seed"])
            committed = str(fairness["commitment"]).lower()
            due = hashlib.sha256(secret).hexdigest()
            difference = Difference(HEAD, "commitment", committed, due) if committed != due else None
            source = Secret(secret, ",".join(_text(each) for each in fairness.get("entropy", ())))
            return Proof(Finding.FAIR, source, difference=difference)
        if "chance" in record.extra:
            chance = record.extra["chance"]
            if chance["generator"] == "seeded":
                seed = int(chance["seed"])
                return Proof(Finding.SEEDED, Seed(game_key(seed, int(chance["game"]))), seed)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="fairness") from None
    return Proof(Finding.UNPROVEN)


def _text(found: Any) -> str:
    if not isinstance(found, str) or not found.isascii():
        raise TypeError
    return found


def _differences(record: Record, source: Source | None) -> Iterator[Difference]:
    """Where the record departs from its chance; after the first, one follows from another."""
    if source is None:
        return
    deck = Deck(record.players, source)
    rolled: Counter[tuple[Purpose, int]] = Counter()
    round_number = 0
    for n, event in enumerate(record.events):
        if isinstance(event, events.Reveal):
            round_number += 1
            rolled.clear()
            yield from deck.reveal(n, round_number, event)
        for purpose, seat, faces in _dice(event):
            for number, face in enumerate(faces, 1):
                due = source.choose(purpose, round_number, seat, rolled[purpose, seat], FACES) + 1
                rolled[purpose, seat] += 1
                if face != due:
                    what = purpose.name.lower()
                    yield Difference(n, what, str(face), str(due), round_number, seat, number)


def _dice(event: Event) -> Iterator[tuple[Purpose, int, tuple[int, ...]]]:
    match event:
        case events.Roll():
            yield Purpose.DIE, event.seat, event.rolled
        case events.Reroll():
            yield Purpose.DIE, event.seat, (event.rolled,)
        case events.Ghost():
            yield Purpose.GHOST, GHOST, event.rolled
        case events.Tiebreak():
            for seat, faces in event.rolled.items():
                yield Purpose.TIE, seat, faces
        case _:
            pass


class Deck:
    """The unseen cards, drawn as chance says; what a record says besides is compared with that."""

    def __init__(self, players: int, source: Source) -> None:
        self.is_solo = players == 1
        copies = COPIES[max(players, 2)]
        self.unseen = [kind for kind in KINDS for _ in range(copies[int(kind[1]) - 1])]
        self.source = source
        self.top: str | None = None
        """Type of the top card, drawn ahead (R1.2)."""

    def reveal(self, n: int, round_number: int, event: events.Reveal) -> Iterator[Difference]:
        if len(event.row) > len(self.unseen):
            return  # against the rules, as the replay says
        drawn = [self._draw(round_number, index) for index in range(len(event.row))]
        up = len(drawn) - len(event.down)
        if self.is_solo:
            drawn = in_ghosts_order(drawn, up)
        for number, (card, due) in enumerate(zip(event.row, drawn, strict=True), 1):
            if card != due:
                yield Difference(n, "card", card, due, round_number, number=number)
        self.top = None
        if self.unseen:
            self.top = self._choose(Purpose.TOP, round_number, 0, self.unseen)[0]
        if event.top is not None and self.top is not None and event.top != self.top:
            yield Difference(n, "top", event.top, self.top, round_number)

    def _draw(self, round_number: int, index: int) -> str:
        may_come = [card for card in self.unseen if self.top in (None, card[0])]
        card = self._choose(Purpose.CARD, round_number, index, may_come)
        self.unseen.remove(card)
        self.top = None
        return card

    def _choose(self, purpose: Purpose, round_number: int, index: int, cards: list[str]) -> str:
        return cards[self.source.choose(purpose, round_number, 0, index, len(cards))]


def in_ghosts_order(drawn: list[str], up: int) -> list[str]:
    """Highest first, face-down cards counting 2.5; of equal ones the first drawn is first (R10.3)."""
    ranks = [float(card[1]) if index < up else FACE_DOWN_RANK for index, card in enumerate(drawn)]
    return [card for _, card in sorted(zip(ranks, drawn, strict=True), key=lambda pair: -pair[0])]
