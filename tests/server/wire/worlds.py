"""Worlds that somebody cannot tell apart: other cards where they do not know them, and another secret."""

import hashlib
import random
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from royalcrypt import Game, Refusal
from royalcrypt.live import registry
from royalcrypt.live.operations import daily, duplicates
from royalcrypt.play.chance import SECRET_BYTES, Address, CommittedChance, RecordedChance
from royalcrypt.rules.layout import State
from royalcrypt.rules.reveal import row_length
from royalcrypt.server.accounts import identities, recovery_phrases, tokens
from royalcrypt.server.operations import host_rules
from royalcrypt.tables import commands, table
from tests.properties.hidden import flipped, known_to, otherwise
from tests.server.wire.scenes import Played, Scene

TABLE, PRIVATE_TABLE = "the-table-01", "a-private-table"
ANOTHER_TABLE: Any = {
    "private_table": "another-private-table",
    "private_secret": "c3" * 32,
    "private_players": 2,
}
DEALS = 40


@dataclass(frozen=True)
class Knowledge:
    """What one reader may know of what not everybody is told. Nobody knows the secret."""

    cards: frozenset[int]
    invite: bool = False
    whispers: bool = False
    """What spectators say among themselves."""
    private_table: bool = False
    """That there is another table, and all about it."""

    def covers(self, other: "Knowledge") -> bool:
        return (
            self.cards >= other.cards
            and self.invite >= other.invite
            and self.whispers >= other.whispers
            and self.private_table >= other.private_table
        )


@dataclass(frozen=True)
class World:
    """All that can be hidden from somebody. The commitment tells nothing, so worlds share it."""

    secret: str
    commitment: str
    outcomes: Mapping[Address, int]
    invite: str = "the-invitation"
    whisper: str = "She will not dare."
    private_table: str = PRIVATE_TABLE
    private_secret: str = "5a" * 32
    private_players: int = 1


def cards_known(game: Game, seats: tuple[int, ...]) -> frozenset[int]:
    """To somebody with these seats; without any, to a spectator."""
    return frozenset[int]().union(*(known_to(seat, game) for seat in seats or (None,)))


def cards_shown_since(game: Game, seats: tuple[int, ...], round_number: int) -> frozenset[int]:
    """Where remembering is left to people: to a reader who came in this round."""
    state = game.state
    return frozenset(
        card
        for card in cards_known(game, seats)
        if state.card_flipped[card]
        or state.card_place[card] in seats
        or card // row_length(state) + 1 >= round_number
    )


def true_world(scene: Scene) -> World:
    return World(scene.secret, scene.chance().commitment, {})


def other_world(scene: Scene, played: Played, known: Knowledge) -> World:
    """One that differs in everything a reader with this knowledge cannot know."""
    true = true_world(scene)
    return replace(
        true,
        secret=hashlib.sha256(f"another secret of {scene.seed}".encode()).hexdigest(),
        outcomes=other_outcomes(scene, played, known.cards),
        invite=true.invite if known.invite else "quite-another-one",
        whisper=true.whisper if known.whispers else "I would take the third card, it must be a 4.",
        **({} if known.private_table else ANOTHER_TABLE),
    )


def other_outcomes(scene: Scene, played: Played, known: frozenset[int]) -> dict[Address, int]:
    """Of some deals that fit what everybody saw, the one with the most other cards."""
    rng = random.Random(f"{scene.seed} {sorted(known)}")
    best = dict(played.brought)
    for _ in range(DEALS):
        outcomes = otherwise(played.game.state, set(known), played.brought, rng)
        if differing(played, outcomes) > differing(played, best) and is_told_alike(scene, played, outcomes):
            best = outcomes
    return best


def differing(played: Played, outcomes: Mapping[Address, int]) -> int:
    """How many cards are others."""
    return sum(outcomes[address] != brought for address, brought in played.brought.items())


def is_told_alike(scene: Scene, played: Played, outcomes: dict[Address, int]) -> bool:
    """Whether all moves can be made, and flip the same cards: of two equal ones it could be the other."""
    try:
        twin = replayed(scene, played, outcomes)
    except Refusal:
        return False
    return flipped(twin) == flipped(played.game)


def replayed(scene: Scene, played: Played, outcomes: Mapping[Address, int]) -> Game:
    game = begun(scene, outcomes)
    for turn in played.turns:
        game.play(turn.move, seat=turn.seat)
    return game


def begun(scene: Scene, outcomes: Mapping[Address, int]) -> Game:
    return scene.begin(RecordedChance(dict(outcomes), scene.chance()))


class Tokens:
    """Stands in for ``secrets``: these words in this order, then others that are the same every time."""

    def __init__(self, *words: str) -> None:
        self._words = list(words)
        self._given = 0
        self._rng = random.Random("tokens")
        self.choice = self._rng.choice
        self.randbelow = self._rng.randrange

    def token_hex(self, size: int) -> str:
        return self._next(size)

    def token_urlsafe(self, size: int) -> str:
        return self._next(size)

    def token_bytes(self, size: int) -> bytes:
        return self._rng.randbytes(size)

    def _next(self, size: int) -> str:
        self._given += 1
        if self._words:
            return self._words.pop(0)
        return hashlib.sha256(f"token {self._given}".encode()).hexdigest()[: 2 * size]


class OneSecret(Tokens):
    """The same secret however often one is drawn: a server may draw the day's at any time."""

    def __init__(self, secret: bytes) -> None:
        super().__init__()
        self._secret = secret

    def token_bytes(self, size: int) -> bytes:
        return self._secret[:size]


class OpeningTokens(Tokens):
    """A table's secret, then its invitation."""

    def __init__(self, world: World) -> None:
        super().__init__(world.secret, world.invite, world.private_secret, world.private_table)


@contextmanager
def planted(world: World) -> Generator[None]:
    """A server in this process meets this world at the table it opens first."""

    outcomes = dict(world.outcomes)

    class Planted(CommittedChance):
        @property
        def commitment(self) -> str:
            is_first = self.secret.hex() == world.secret
            return world.commitment if is_first else CommittedChance(self.secret).commitment

        def outcome(self, state: State) -> int:
            source: Any = CommittedChance(self.secret, self.entropy)
            if self.secret.hex() == world.secret:
                source = RecordedChance(outcomes, source)
            return source.outcome(state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "CommittedChance", Planted)
        patch.setattr(commands, "secrets", OpeningTokens(world))
        patch.setattr(registry, "secrets", Tokens(TABLE, world.private_table))
        patch.setattr(daily, "secrets", OneSecret(b"the secret of the day".ljust(SECRET_BYTES)))
        for module in (duplicates, host_rules, identities, recovery_phrases, tokens):
            patch.setattr(module, "secrets", Tokens())
        yield
