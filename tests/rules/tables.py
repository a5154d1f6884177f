"""Tables set up for one example of a rule: who has what, what lies in the Crypt, and what luck will bring."""

from collections.abc import Sequence
from typing import Any

from royalcrypt import Game
from royalcrypt.notation.cards import Card
from royalcrypt.notation.events import Event
from royalcrypt.play.chance import Address, address_of
from royalcrypt.rules.chance import list_outcomes
from royalcrypt.rules.layout import State, no_options

LETTERS = "IJMPRT"
COPIES = {1: (1, 1, 1, 1), 2: (1, 1, 1, 1), 3: (1, 2, 2, 1), 4: (2, 2, 2, 2)}
FACE_UP = {1: 2, 2: 2, 3: 3, 4: 4}
FACE_DOWN = {1: 1, 2: 1, 3: 1, 4: 2}


class Luck:
    """Chance as the test wants it, in order: cards (``"I4"``), types on top of the deck (``"P"``), faces (6).

    Cards and types that the test does not name are the first that may come, and the Ghost's dice show 1; any
    other die that it does not name is an error. What once came at an address comes there again, so that moves
    can be taken back.
    """

    def __init__(self, *outcomes: str | int) -> None:
        self.faces = [face for face in outcomes if isinstance(face, int)]
        self.cards = [card for card in outcomes if isinstance(card, str) and len(card) == 2]
        self.tops = [letter for letter in outcomes if isinstance(letter, str) and len(letter) == 1]
        self.came: dict[Address, int] = {}

    def outcome(self, state: State) -> int:
        address = address_of(state)
        if address not in self.came:
            options = no_options()
            possible = [options.codes[index] for index in range(list_outcomes(state, options))]
            self.came[address] = self._next(address[0], possible)
            assert self.came[address] in possible, f"{self.came[address]} cannot come at {address}"
        return self.came[address]

    def _next(self, purpose: str, possible: list[int]) -> int:
        if purpose == "card":
            return kind(self.cards.pop(0)) if self.cards else possible[0]
        if purpose == "top":
            return LETTERS.index(self.tops.pop(0)) if self.tops else possible[0]
        if purpose == "ghost" and not self.faces:
            return 1
        assert self.faces, "a die was rolled that the test did not foresee"
        return self.faces.pop(0)

    def published(self, *, is_over: bool) -> dict[str, Any]:
        return {}

    def kept(self) -> dict[str, Any]:
        return {}


UNEQUAL = [face for face in (6, 5, 4, 3) for _ in range(3)]
"""Luck that settles any tie in the order of the seats."""


def kind(card: str) -> int:
    return 4 * LETTERS.index(card[0]) + int(card[1]) - 1


def deck(players: int) -> list[str]:
    """Every card of a game, I1 to T4 (R2.1)."""
    return [
        f"{letter}{value}"
        for letter in LETTERS
        for value in (1, 2, 3, 4)
        for _ in range(COPIES[players][value - 1])
    ]


def table(
    *,
    players: int = 2,
    sides: str = "AAAAAA",
    leader: int = 0,
    turn: int = 0,
    phase: str = "claim",
    row: str | None = None,
    collections: Sequence[str] = (),
    discards: str = "",
    exhausted: Sequence[int] = (),
    placed: Sequence[int] = (),
    peeked: Sequence[int] = (),
    first_idols: Sequence[int] | None = None,
    pushed: int = 0,
    top: str | None = None,
    last_round: bool = False,
    luck: Sequence[str | int] = (),
) -> Game:
    """A game in the middle of a round.

    ``row``, as in ``"J4 T3=b2x3 vM2"``: a free card, one that seat b holds with two dice of effort 3, a
    face-down one; ``vM2?0`` was peeked at by seat 0. ``collections``, a text a seat, as in
    ``"I3 J2! M1? P4?2"``: known to all, flipped, known to the owner, known to the owner and seat 2.
    ``discards`` as in ``"J1 J2?"``. Cards of earlier rounds that neither names are discards too.
    """
    seats = max(2, players)
    gone = [_owned(word, seat) for seat, words in enumerate(collections) for word in words.split()]
    gone += [_discarded(word) for word in discards.split()]
    left = deck(players)
    for card in gone + [_split(word)[0] for word in (row or "").split()]:
        left.remove(card[:2])
    if row is None:
        row = _any_row(players, left)
    length = len(row.split())
    while len(gone) % length or (last_round and left):
        gone.append(left.pop() + "x")
    rounds = ["".join(gone[at : at + length]) for at in range(0, len(gone), length)]
    dice = [_dice_of(seat, row) for seat in range(seats)]
    tired = [*exhausted, *[0] * seats]
    fields: dict[str, str | int] = {
        "players": players,
        "sides": sides,
        "leader": leader,
        "phase": phase,
        "round": len(rounds) + 1,
        "turn": turn,
        "order": seats if phase == "claim" else 0,
        "decisions": 0,
        "pushed": pushed,
        "chance": "0/0",
        "top": top or (left[0][0] if left else "-"),
        "race": int(first_idols is not None),
        "row": ",".join(("v" if word[0] == "v" else "") + (_split(word)[1] or "-") for word in row.split()),
        "seats": ",".join(
            f"{3 - tired[seat] - dice[seat]}+{tired[seat]}"
            + "p" * (seat in placed or dice[seat] > 0)
            + "k" * (seat in peeked)
            + "w" * (seat in (first_idols or ()))
            for seat in range(seats)
        ),
        "cards": "/".join([*rounds, "".join(map(_lying, row.split()))]),
    }
    game = Game.from_position(" ".join(["rc1", *(f"{name}={value}" for name, value in fields.items())]))
    game.chance = Luck(*luck)
    return game


def _any_row(players: int, left: list[str]) -> str:
    up, down = FACE_UP[players], FACE_DOWN[players]
    return " ".join([left.pop() for _ in range(up)] + ["v" + left.pop() for _ in range(down)])


def _split(word: str) -> tuple[str, str]:
    """A card of the row and the dice on it."""
    card, _, dice = word.removeprefix("v").partition("=")
    return card, dice


def _dice_of(seat: int, row: str) -> int:
    held = [_split(word)[1] for word in row.split()]
    return sum(int(dice[1]) for dice in held if dice[:1] == "abcd"[seat])


def _owned(word: str, seat: int) -> str:
    card, hidden, knowers = word.partition("?")
    return card[:2] + "abcd"[seat] + card[2:] + (f"?{seat}{knowers}" if hidden else "")


def _discarded(word: str) -> str:
    return word[:2] + "x" + word[2:]


def _lying(word: str) -> str:
    card, _ = _split(word)
    hidden = "?" if word[0] == "v" and len(card) == 2 else ""
    return card[:2] + "." + card[2:] + hidden


def finish(game: Game) -> Game:
    """Everybody recovers, or lets the offer pass, until the game is over."""
    while not game.is_over:
        game.play("recover" if game.phase == "claim" else "decline")
    return game


def bonuses(game: Game, collector: str) -> list[int]:
    """Play to the end; what the Collector then pays to each player."""
    result = finish(game).result()
    assert result is not None
    return [breakdown["collectors"][collector] for breakdown in result["breakdown"]]


def dice(game: Game, seat: int) -> tuple[int, int]:
    """Ready and exhausted."""
    view = game.view(seat).seats[seat] if seat < game.players else game.view().seats[seat]
    return view.ready, view.exhausted


def cards(game: Game, seat: int, viewer: int | None = None) -> list[str]:
    """A collection in the order it was taken, as its owner or another viewer knows it."""
    return [str(card) for card in game.view(seat if viewer is None else viewer).seats[seat].cards]


def holders(game: Game) -> list[str]:
    """Who holds each card of the row: ``"b2x3"``, or ``""``."""
    return [
        "" if slot.holder is None else f"{'abcd'[slot.holder]}{slot.dice}x{slot.effort}"
        for slot in game.view().row
    ]


def told(events: list[Event], kind_of_event: str) -> list[Event]:
    """The events of one kind."""
    return [event for event in events if event.type == kind_of_event]


def can(game: Game, seat: int, move: str) -> bool:
    """Whether a move is among those a seat is offered."""
    return move in map(str, game.view(seat).moves())


def treasures(*names: str) -> tuple[Card, ...]:
    """Cards as events hold them."""
    return tuple(map(Card, names))
