"""What a study asks of a game, and what is told of it: records that the kernel reads and writes."""

from enum import IntEnum
from typing import Annotated, Any, Protocol

import numba

from royalcrypt.rules.layout import I2, KINDS, SEATS, TYPES, Ints
from royalcrypt.search.backend import record_dtype
from royalcrypt.search.compilation import name_type


class Twist(IntEnum):
    """The one thing that is otherwise in a counterfactual game."""

    NONE = 0
    BARRED = 1
    """A seat can never pay for one Collector's reward, and plays as ever."""
    ROBBED = 2
    """A card is taken away from whoever has just taken it, before the next round."""
    OTHERWISE = 3
    """At one turn, who would recover claims, and who would claim recovers."""


NO_TWIST, BARRED, ROBBED, OTHERWISE = (member.value for member in Twist)
COLLECTED, PUSHED_OUT = range(2)
"""What becomes of placed dice."""


class Script(Protocol):
    number: Annotated[int, "i8"]
    """Of the deal: cards and dice hang on it and on the seed, and on nothing else here."""
    players: Annotated[int, I2]
    leader: Annotated[int, I2]
    sides: Annotated[Ints, I2, (TYPES,)]
    lights: Annotated[int, I2]
    """One bit a seat: those that play lightly."""
    twist: Annotated[int, I2]
    seat: Annotated[int, I2]
    card_type: Annotated[int, I2]
    """Of BARRED."""
    moment: Annotated[int, I2]
    """Of ROBBED, which of the cards in the order in which they are taken; of OTHERWISE, which of the turns at
    which there is a choice."""


class Scripts(Protocol):
    def __getitem__(self, game: int, /) -> Script: ...


class Tale(Protocol):
    """How a game went."""

    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[int, I2]
    """One bit a seat."""
    decisions: Annotated[int, I2]
    dice: Annotated[Ints, I2, (SEATS,)]
    """Not exhausted at the end."""
    cards: Annotated[Ints, I2, (SEATS * KINDS,)]
    """By seat and kind."""
    bonuses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """Coins that Collectors paid, by seat and type."""
    uses: Annotated[Ints, I2, (SEATS * TYPES,)]
    """How often a reward was used in play, by seat and type of the cards that paid for it."""
    takings: Annotated[int, I2]
    choices: Annotated[int, I2]
    """Turns at which there was something to recover and something to claim with."""
    is_twisted: Annotated[int, I2]
    """Whether the twist came to pass."""
    seat: Annotated[int, I2]
    """Whom it befell."""
    card_kind: Annotated[int, I2]
    held: Annotated[int, I2]
    """Of ROBBED: cards of this type that remain."""
    round_number: Annotated[int, I2]
    ready: Annotated[int, I2]
    exhausted: Annotated[int, I2]
    would_recover: Annotated[int, I2]
    win_before: Annotated[float, "f4"]
    win_after: Annotated[float, "f4"]
    score_before: Annotated[float, "f4"]
    score_after: Annotated[float, "f4"]
    """What the learned value expects for the seat: with the card and without it; after a recovery and after
    the best claim."""


class Tales(Protocol):
    def __getitem__(self, game: int, /) -> Tale: ...


class Turn(Protocol):
    """Dice placed on one card, or a recovery."""

    game: Annotated[int, "i4"]
    seat: Annotated[int, I2]
    round_number: Annotated[int, I2]
    turn: Annotated[int, I2]
    ready: Annotated[int, I2]
    """When the turn began."""
    exhausted: Annotated[int, I2]
    effort: Annotated[int, I2]
    """0 for a recovery."""
    dice: Annotated[int, I2]
    card_type: Annotated[int, I2]
    value: Annotated[int, I2]
    is_down: Annotated[int, I2]
    pushes: Annotated[int, I2]
    """Whether somebody was pushed out by it."""
    fate: Annotated[int, I2]
    failed: Annotated[int, I2]
    """Dice that were exhausted by it."""


class Turns(Protocol):
    """Indexing gives the turn itself, so writing through it is kept."""

    def __getitem__(self, index: int, /) -> Turn: ...


SCRIPT = record_dtype(Script)
TALE = record_dtype(Tale)
TURN = record_dtype(Turn)
_named: tuple[tuple[Any, Any, Any], ...] = (
    (Script, Scripts, SCRIPT),
    (Tale, Tales, TALE),
    (Turn, Turns, TURN),
)
for _one, _several, _record in _named:
    name_type(_one, numba.from_dtype(_record))
    name_type(_several, numba.from_dtype(_record)[::1])
