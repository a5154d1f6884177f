"""How many lines of small decisions there are, to a depth."""

from collections.abc import Sequence

from tests.oracle.chance import choose
from tests.oracle.game import Oracle


def resolve_chance(oracle: Oracle, secret: bytes, entropy: Sequence[str]) -> None:
    """Play on to the next decision of a player, or the end; outcomes by their addresses."""
    while oracle.actor == "chance":
        outcomes = oracle.outcomes()
        oracle.apply("chance", outcomes[choose(secret, entropy, oracle.address(), len(outcomes))])


def perft(oracle: Oracle, depth: int, secret: bytes, entropy: list[str]) -> int:
    """Lines of `depth` decisions, nothing out of turn; a game that ends earlier is one line."""
    oracle = oracle.clone()
    resolve_chance(oracle, secret, entropy)
    if depth == 0 or oracle.actor == "over":
        return 1
    if depth == 1:
        return len(oracle.legal())
    total = 0
    for action in oracle.legal():
        after = oracle.clone()
        after.apply(after.actor, action)
        total += perft(after, depth - 1, secret, entropy)
    return total
