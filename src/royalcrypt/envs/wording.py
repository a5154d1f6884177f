"""Actions in the words of the notation."""

from typing import Any

from royalcrypt.notation.moves import Move
from royalcrypt.rules.actions import ACTIONS, DONE, FLIP, flipped_value


def action_name(action: int) -> str:
    """``1:2x3``, ``recover``, ``take 4`` …; besides those of moves ``done``, which ends a claim, and ``flip 3``."""
    if action == DONE:
        return "done"
    return f"flip {flipped_value(action)}" if action >= FLIP else str(Move.from_codes([action]))


ACTION_NAMES = tuple(action_name(action) for action in range(ACTIONS))


def legal_names(mask: Any) -> list[str]:
    return [name for name, is_legal in zip(ACTION_NAMES, mask, strict=True) if is_legal]


def refusal_of(action: Any, agent: str, mask: Any) -> str:
    """What is wrong with an action, and what would be right."""
    legal = ", ".join(legal_names(mask))
    is_known = isinstance(action, int) or hasattr(action, "__index__")
    if not is_known or not 0 <= action < ACTIONS:
        return f"{action!r} is no action: {agent} may choose a number from 0 to {ACTIONS - 1} that is legal: {legal}"
    return f"action {action} ({ACTION_NAMES[action]}) is not legal for {agent} now; legal are: {legal}"
