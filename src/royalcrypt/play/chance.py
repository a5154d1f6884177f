"""Sources of chance outcomes: a committed secret, a seed or a record (RECORD.md, Chance)."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.chance import (
    RANGE,
    Purpose,
    draw_chance,
    equal_outcomes,
    game_key,
    keyed_choice,
    list_outcomes,
    outcome_at,
    purpose,
)
from royalcrypt.rules.layout import State, no_options

Address = tuple[str, int, int, int]
SECRET_BYTES = 32
MOST_SEED = (1 << 63) - 1
PURPOSES = tuple(member.name.lower() for member in Purpose)


def address_of(state: State) -> Address:
    """The purpose, round, seat and index of the current chance outcome."""
    return (PURPOSES[purpose(state)], state.round_number, state.chance_seat, state.chance_index)


class Chance(Protocol):
    def outcome(self, state: State) -> int:
        """The outcome of the current chance decision; equal addresses give equal outcomes."""
        ...

    def published(self, *, is_over: bool) -> dict[str, Any]:
        """The part of the source that a record may publish."""
        ...

    def kept(self) -> dict[str, Any]:
        """Additional private data for a save, so that a resumed game has the same chance outcomes."""
        ...


@dataclass(frozen=True, slots=True)
class CommittedChance:
    """Chance by HMAC-SHA-256 from a secret that is published when the game is over."""

    secret: bytes = field(default_factory=lambda: secrets.token_bytes(SECRET_BYTES), repr=False)
    entropy: tuple[str, ...] = ()
    seal: str | None = None
    """Identifies a secret that is used by several games."""
    _begun: hmac.HMAC = field(init=False, repr=False, compare=False)
    """The HMAC state after the part of the message that precedes the address."""

    def __post_init__(self) -> None:
        begin = f"{','.join(self.entropy)}|".encode("ascii")
        object.__setattr__(self, "_begun", hmac.new(self.secret, begin, "sha256"))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.secret, self.entropy, self.seal)

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def word(self, address: Address, attempt: int) -> int:
        what, round_number, seat, index = address
        message = self._begun.copy()
        message.update(f"{what}|{round_number}|{seat}|{index}|{attempt}".encode("ascii"))
        return int.from_bytes(message.digest()[:4])

    def choose(self, address: Address, outcomes: int) -> int:
        """One of ``outcomes`` equally likely results, from 0."""
        attempt = 0
        while (word := self.word(address, attempt)) >= outcomes * (RANGE // outcomes):
            attempt += 1
        return word % outcomes

    def outcome(self, state: State) -> int:
        return outcome_at(state, self.choose(address_of(state), equal_outcomes(state)))

    def published(self, *, is_over: bool) -> dict[str, Any]:
        fairness: dict[str, Any] = {"commitment": self.commitment}
        if self.seal is not None:
            fairness["seal"] = self.seal
        if is_over:
            fairness["seed"] = self.secret.hex()
        return {"fairness": fairness | {"entropy": list(self.entropy)}}

    def kept(self) -> dict[str, Any]:
        return {"secret": self.secret.hex()}


@dataclass(frozen=True, slots=True)
class SeededChance:
    """Chance by the fast generator of simulations: equal seeds give equal games on every machine."""

    seed: int
    game: int = 0
    key: tuple[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.seed) is not int or not 0 <= self.seed <= MOST_SEED:
            raise Refusal(Reason.WRONG_SEED, seed=str(self.seed))
        object.__setattr__(self, "key", game_key(self.seed, self.game))

    def choose(self, address: Address, outcomes: int) -> int:
        what, round_number, seat, index = address
        word = ((PURPOSES.index(what) * 16 + round_number) * 8 + seat) * 256 + index
        return keyed_choice(*self.key, word << 8, outcomes)

    def outcome(self, state: State) -> int:
        return draw_chance(state, *self.key)

    def published(self, *, is_over: bool) -> dict[str, Any]:
        return self.kept() if is_over else {}

    def kept(self) -> dict[str, Any]:
        return {"chance": {"generator": "seeded", "seed": self.seed, "game": self.game}}


@dataclass(slots=True)
class RecordedChance:
    """Chance outcomes as recorded; another source provides those that the record does not contain."""

    outcomes: dict[Address, int]
    otherwise: Chance

    def outcome(self, state: State) -> int:
        address = address_of(state)
        if address not in self.outcomes:
            return self.otherwise.outcome(state)
        options = no_options()
        count = list_outcomes(state, options)
        if self.outcomes[address] not in [options.codes[index] for index in range(count)]:
            what, round_number, seat, index = address
            raise Refusal(
                Reason.IMPOSSIBLE_CHANCE, what=what, round=round_number, seat=seat + 1, number=index + 1
            )
        return self.outcomes[address]

    def published(self, *, is_over: bool) -> dict[str, Any]:
        return self.otherwise.published(is_over=is_over)

    def kept(self) -> dict[str, Any]:
        return self.otherwise.kept()
