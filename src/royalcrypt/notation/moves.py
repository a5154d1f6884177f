"""Moves as text: one or more whole actions of a seat.

    1:2x3 4:1x5        claim: two dice of effort 3 on card 1, one die of effort 5 on card 4
    recover            bring all exhausted dice home, or pass
    peek M2            flip a Manuscript to look at the face-down cards (Manuscript B)
    mend R1 R3         flip two Remains to recover a die (Remains A)
    take 4 P1 P2       flip two Pottery to take face-down card 4 (Pottery B)
    reroll 2 I3        flip an Idol to re-roll a die that failed on card 2 (Idol A)
    decline            let the offer pass

People count cards from 1. Several actions of one move are joined by semicolons.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules import actions as codes
from royalcrypt.rules.catalogue import PAID_IN, PRICE
from royalcrypt.rules.phases import MENDING, PEEKING, REROLLING, TAKING


class Verb(StrEnum):
    """The kinds of actions, by their names in the notation."""

    CLAIM = "claim"
    RECOVER = "recover"
    PEEK = "peek"
    MEND = "mend"
    TAKE = "take"
    REROLL = "reroll"
    DECLINE = "decline"


ERRANDS = {Verb.PEEK: PEEKING, Verb.MEND: MENDING, Verb.TAKE: TAKING, Verb.REROLL: REROLLING}
HAS_SLOT = (Verb.TAKE, Verb.REROLL)
WORDS = {verb.value: verb for verb in Verb if verb is not Verb.CLAIM} | {
    "re-roll": Verb.REROLL,
    "pass": Verb.RECOVER,
    "no": Verb.DECLINE,
}


Whole = Annotated[int, Meta(ge=-(10**6), le=10**6)]
"""An integer in the range that games use."""


@dataclass(frozen=True, slots=True, order=True)
class Placement:
    """Dice of one effort on one card; slots are numbered from 0."""

    slot: Whole
    dice: Whole
    effort: Whole

    @property
    def total(self) -> int:
        return self.dice * self.effort

    def __str__(self) -> str:
        return f"{self.slot + 1}:{self.dice}x{self.effort}"


@dataclass(frozen=True, slots=True)
class Action:
    """One whole action. ``flip`` contains the values of the cards that pay for it, ascending."""

    verb: Verb
    place: tuple[Placement, ...] = ()
    slot: int | None = None
    flip: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Action":
        try:
            return _read(text.split())
        except (IndexError, KeyError, ValueError):
            raise Refusal(Reason.NOT_A_MOVE, text=text) from None

    def __str__(self) -> str:
        if self.verb is Verb.CLAIM:
            return " ".join(map(str, self.place))
        words: list[str] = [self.verb]
        if self.slot is not None:
            words.append(str(self.slot + 1))
        words += [letter_paid(self.verb) + str(value) for value in self.flip]
        return " ".join(words)

    def __repr__(self) -> str:
        return f"Action.parse({str(self)!r})"


def letter_paid(verb: Verb) -> str:
    """The letter of the card type that pays for this kind of action."""
    return LETTERS[PAID_IN[ERRANDS[verb]]]


def price(verb: Verb) -> int:
    return PRICE[ERRANDS[verb]] if verb in ERRANDS else 0


def is_whole(action: Action) -> bool:
    """Whether the action has all required parts and no others; parsed actions always do."""
    return (
        (action.slot is not None) == (action.verb in HAS_SLOT)
        and bool(action.place) == (action.verb is Verb.CLAIM)
        and len(action.flip) in (0, price(action.verb))
    )


def _read(words: list[str]) -> Action:
    if ":" in words[0]:
        return Action(Verb.CLAIM, place=tuple(sorted(map(_placement, words))))
    verb = WORDS[words.pop(0).lower()]
    slot = int(_match("[0-9]{1,3}", words.pop(0))[0]) - 1 if verb in HAS_SLOT else None
    flip = [int(_match(letter_paid(verb) + "([1-4])", word)[1]) for word in words]
    if len(flip) not in (0, price(verb)):
        raise ValueError
    return Action(verb, slot=slot, flip=tuple(sorted(flip)))


def _placement(word: str) -> Placement:
    card, dice, effort = map(int, _match(r"([0-9]{1,3}):([0-9]{1,3})[x×*]([0-9]{1,3})", word).groups())
    return Placement(card - 1, dice, effort)


def _match(pattern: str, word: str) -> re.Match[str]:
    match = re.fullmatch(pattern, word, re.IGNORECASE)
    if match is None:
        raise ValueError(word)
    return match


@dataclass(frozen=True, slots=True)
class Move:
    """One or more whole actions that a seat makes at once."""

    actions: tuple[Action, ...]

    @classmethod
    def parse(cls, text: str) -> "Move":
        return cls(tuple(Action.parse(part) for part in text.split(";")))

    @classmethod
    def of(cls, verb: Verb, *, slot: int | None = None, flip: tuple[int, ...] = ()) -> "Move":
        return cls((Action(verb, slot=slot, flip=tuple(sorted(flip))),))

    @classmethod
    def claim(cls, *place: Placement) -> "Move":
        return cls((Action(Verb.CLAIM, place=tuple(sorted(place))),))

    @classmethod
    def from_codes(cls, small: list[int]) -> "Move":
        """The move that consists of these small decisions."""
        actions: list[Action] = []
        place: list[Placement] = []
        position = 0
        while position < len(small):
            code = small[position]
            position += 1
            if code < codes.DONE:
                slot, dice = codes.placed_slot(code), codes.placed_dice(code)
                place.append(Placement(slot, dice, codes.placed_effort(code)))
            elif code != codes.DONE:
                verb, slot = verb_of(code)
                count = price(verb)
                flip = tuple(codes.flipped_value(paid) for paid in small[position : position + count])
                position += count
                actions.append(Action(verb, slot=slot, flip=flip))
        if place:
            actions.append(Action(Verb.CLAIM, place=tuple(place)))
        return cls(tuple(actions))

    @property
    def names_its_flips(self) -> bool:
        """Whether the move names all cards to flip, so that it equals the text of its small decisions."""
        return all(action.flip or action.verb not in ERRANDS for action in self.actions)

    def __str__(self) -> str:
        return "; ".join(map(str, self.actions))

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"


def verb_of(code: int) -> tuple[Verb, int | None]:
    """The kind of action that a small decision begins, and its slot except for claims."""
    if code < codes.DONE:
        return Verb.CLAIM, None
    if code >= codes.REROLL:
        return Verb.REROLL, code - codes.REROLL
    if code >= codes.TAKE:
        return Verb.TAKE, code - codes.TAKE
    return SIMPLE[code], None


SIMPLE = {
    codes.RECOVER: Verb.RECOVER,
    codes.PEEK: Verb.PEEK,
    codes.MEND: Verb.MEND,
    codes.DECLINE: Verb.DECLINE,
}
OPENINGS = {verb: code for code, verb in SIMPLE.items()}


def opening_code(action: Action) -> int:
    """The first small decision of an action other than a claim."""
    if action.verb is Verb.TAKE:
        return codes.take(action.slot or 0)
    if action.verb is Verb.REROLL:
        return codes.reroll(action.slot or 0)
    return OPENINGS[action.verb]
