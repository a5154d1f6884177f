"""Names of actions in the notation, and error messages about actions."""

from operator import index
from typing import Any

from royalcrypt.notation.moves import Move
from royalcrypt.rules.actions import ACTIONS, DONE, FLIP, flipped_value


def action_name(action: int) -> str:
    """The name of an action: ``1:2x3``, ``recover``, ``take 4``, ``flip 3``, or ``done`` after a claim."""
    if action == DONE:
        return "done"
    return f"flip {flipped_value(action)}" if action >= FLIP else str(Move.from_codes([action]))


ACTION_NAMES = tuple(action_name(action) for action in range(ACTIONS))


def is_legal(mask: Any, action: Any) -> bool:
    """Whether the action is an integer, of any integer type, that the mask allows."""
    try:
        number = index(action)
    except TypeError:
        return False
    return 0 <= number < ACTIONS and mask[number] == 1


def refusal_text(action: Any, agent: str, mask: Any) -> str:
    """The error message for a refused action, with the reason and the legal actions."""
    legal = ", ".join(name for name, is_legal in zip(ACTION_NAMES, mask, strict=True) if is_legal)
    if not hasattr(action, "__index__") or not 0 <= action < ACTIONS:
        return f"{action!r} is no number from 0 to {ACTIONS - 1}; legal for {agent} are: {legal}"
    return f"action {action} ({ACTION_NAMES[action]}) is not legal for {agent} now; legal are: {legal}"
