"""Settings that the host can change while the server runs."""

import hmac
import secrets

from royalcrypt.live.hub import Hub
from royalcrypt.live.wire.messages import Notice, encode_message
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import ServerKeys
from royalcrypt.storage.server_state import ServerState

INVITATION_EPOCH = "invitation_epoch"
"""Setting with the random value that the invitation is derived from; absent until it is renewed once."""


class HostRules:
    def __init__(self, state: ServerState, keys: ServerKeys, hub: Hub) -> None:
        self._state = state
        self._keys = keys
        self._hub = hub
        self.is_invite_only = False
        self.notice = ""
        self._epoch = ""

    async def load(self) -> None:
        """Read the stored settings; a new notice is sent to everybody."""
        found = await self._state.find("is_invite_only", INVITATION_EPOCH, "notice")
        before = self.notice
        self.is_invite_only = bool(found.get("is_invite_only"))
        self._epoch = str(found.get(INVITATION_EPOCH, ""))
        self.notice = str(found.get("notice", ""))
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
        purpose = f"invitation|{self._epoch}" if self._epoch else "invitation"
        return self._keys.derived(purpose).hex()[:32]

    async def renew_invitation(self) -> None:
        """Replace the invitation key; links with the old one no longer work."""
        await self._state.set(INVITATION_EPOCH, secrets.token_hex(8))
        await self.load()

    async def check_newcomer(self, invitation: str | None) -> None:
        """Like ``check_stranger``, by the stored rules: another process may just have changed them."""
        await self.load()
        self.check_stranger(invitation)

    def check_stranger(self, invitation: str | None = None) -> None:
        """Raise Refusal for somebody without an account and invitation, if the server is invite-only."""
        given = (invitation or "").encode("utf-8", "surrogatepass")
        if self.is_invite_only and not hmac.compare_digest(self.invitation().encode(), given):
            raise Refusal(Reason.INVITE_ONLY)
