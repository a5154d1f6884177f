"""Cards, places in the Crypt, and the deck of each player count."""

from dataclasses import dataclass, field

TYPES = "IJMPRT"
NAMES = {"I": "idol", "J": "jewelry", "M": "manuscript", "P": "pottery", "R": "remains", "T": "tapestry"}
FACE_UP = {1: 2, 2: 2, 3: 3, 4: 4}  # R4.1
FACE_DOWN = {1: 1, 2: 1, 3: 1, 4: 2}

Kind = tuple[str, int]  # type and value


@dataclass
class Card:
    type: str
    value: int
    public: bool = False  # everybody, spectators included, knows the value
    flipped: bool = False
    knowers: set[int] = field(default_factory=set[int])  # seats that saw it alone (R11.2)

    @property
    def name(self) -> str:
        return f"{self.type}{self.value}"

    def known_to(self, viewer: int | str) -> bool:
        return self.public or viewer in self.knowers


@dataclass
class Spot:
    """One slot of the Crypt. It keeps its number when its card is gone."""

    card: Card | None
    down: bool
    holder: int | None = None
    dice: int = 0
    effort: int = 0

    @property
    def total(self) -> int:
        return self.dice * self.effort  # R5.3


def icon(value: int) -> str:
    """The set-up icon of the second copy (R1.1)."""
    return "III" if value in (2, 3) else "IV"


def deck(players: int) -> list[Kind]:
    """The cards in the game, I1 ... T4, each copy once (R2.1)."""
    removed = {1: ("III", "IV"), 2: ("III", "IV"), 3: ("IV",), 4: ()}[players]
    kinds: list[Kind] = []
    for letter in TYPES:
        for value in (1, 2, 3, 4):
            kinds.append((letter, value))
            if icon(value) not in removed:
                kinds.append((letter, value))
    return kinds
