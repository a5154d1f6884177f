"""Settings that the host can change while the server runs."""

import hmac

from royalcrypt.live.hub import Hub
from royalcrypt.live.wire.messages import Notice, encode_message
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.storage.server_state import ServerState


class HostRules:
    def __init__(self, state: ServerState, keys: ServerKeys, hub: Hub) -> None:
        self._state = state
        self._keys = keys
        self._hub = hub
        self.is_invite_only = False
        self.notice = ""

    async def load(self) -> None:
        """Read the stored settings; a new notice is sent to everybody."""
        before = self.notice
        self.is_invite_only = bool(await self._state.get("is_invite_only", default=False))
        self.notice = str(await self._state.get("notice", default=""))
        if self.notice != before:
            self._hub.push_all(self._hub.connections, encode_message(Notice(text=self.notice)))

    async def set_invite_only(self, *, is_invite_only: bool) -> None:
        await self._state.set("is_invite_only", is_invite_only)
        await self.load()

    async def set_notice(self, text: str) -> None:
        await self._state.set("notice", text)
        await self.load()

    def invitation(self) -> str:
        """The key in the invitation link of an invite-only server."""
        return self._keys.derived("invitation").hex()[:32]

    def check_stranger(self, invitation: str | None = None) -> None:
        """Raise Refusal for somebody without an account and invitation, if the server is invite-only."""
        given = (invitation or "").encode("utf-8", "surrogatepass")
        if self.is_invite_only and not hmac.compare_digest(self.invitation().encode(), given):
            raise Refusal(Reason.INVITE_ONLY)
