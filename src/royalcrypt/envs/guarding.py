"""PettingZoo's three usual wrappers in one: they look every name up through each other, which takes time."""

from typing import Any

from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from royalcrypt.envs.company import Company, IllegalChoice


class Guard(OrderEnforcingWrapper[str, dict[str, Any], Any]):
    """Does what ``TerminateIllegalWrapper``, ``AssertOutOfBoundsWrapper`` and ``OrderEnforcingWrapper`` do.

    Nothing is asked before ``reset``; what is no action at all is an error; an illegal one ends the game, and
    whoever did it gets -1.
    """

    def __init__(self, table: Company) -> None:
        super().__init__(table)
        self._table = table

    @property
    def agents(self) -> list[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Those who have not left yet; an error before ``reset``."""
        return self._begun("agents").agents

    @property
    def agent_selection(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._begun("agent_selection").agent_selection

    def last(self, observe: bool = True) -> Any:  # noqa: FBT001, FBT002 (PettingZoo's own)
        return self._begun("agent_selection").last(observe)

    def step(self, action: Any) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self._table.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            self._table.step(action)
        except IllegalChoice as choice:
            if not self._table.action_space(self._table.agent_selection).contains(action):
                raise AssertionError("action is not in action space") from choice
            EnvLogger.warn_on_illegal_move()
            self._table.forfeit()

    def _begun(self, name: str) -> Company:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return self._table
