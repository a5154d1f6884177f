"""Planted holes: each lets somebody do or learn what they must not, and a test must notice every one.

A hole replaces one piece of source text by another; ``test_holes`` plants each in a copy.
"""

from typing import NamedTuple


class Hole(NamedTuple):
    what: str
    path: str
    old: str
    new: str
    tests: str
    """Which must notice, beside this file."""


ACCESS = "live/access.py"
CALLERS = "server/http/callers.py"
COMMANDS = "tables/commands.py"
COMMON = "server/http/common.py"
DUPLICATES = "live/operations/duplicates.py"
EXPORT = "server/operations/export.py"
HOST = "server/http/host.py"
IDENTITIES = "server/accounts/identities.py"
KEPT_PEOPLE = "storage/people.py"
PEOPLE = "server/http/people.py"
SECURITY = "server/http/security.py"

HOLES = (
    Hole(
        "links are not needed",
        ACCESS,
        "    if not is_invited(table, invite):\n        raise Refusal(Reason.NO_SUCH_TABLE)\n",
        "",
        "test_endpoints.py",
    ),
    Hole(
        "a refusal betrays that a private table exists",
        ACCESS,
        "        admit(table, person, None)\n        raise Refusal(Reason.NOT_SEATED)",
        "        raise Refusal(Reason.NOT_SEATED)",
        "test_private_tables.py",
    ),
    Hole(
        "private tables are in the lobby",
        "storage/journal.py",
        "tables.c.is_listed == is_listed",
        "tables.c.is_listed.in_([True, False])",
        "test_private_tables.py",
    ),
    Hole(
        "people act for other seats",
        COMMANDS,
        "    if _place(table, seat).person != person:\n        raise Refusal(Reason.NOT_YOUR_SEAT",
        "    if _place(table, seat).is_free:\n        raise Refusal(Reason.NOT_YOUR_SEAT",
        "test_socket_commands.py",
    ),
    Hole(
        "people see with others' eyes",
        ACCESS,
        "    if wanted not in table.seats_of(person):",
        "    if wanted < 0:",
        "test_socket_commands.py",
    ),
    Hole(
        "spectators advise players",
        "live/chat.py",
        "if audience is Audience.TABLE or connection.person not in seated:",
        "if connection.person:",
        "test_socket_commands.py",
    ),
    Hole(
        "who was sent away stays",
        CALLERS,
        "if caller is not None and caller.is_banned:",
        "if caller is not None and caller.person.is_muted:",
        "test_endpoints.py",
    ),
    Hole(
        "sockets of who was sent away stay",
        "server/accounts/removal.py",
        "        self._hub.disconnect(person, Close.POLICY)\n",
        "",
        "../rest/test_host.py",
    ),
    Hole(
        "programs stay when their keeper is sent away",
        IDENTITIES,
        "return self.person.is_banned or (self.keeper is not None and self.keeper.is_banned)",
        "return self.person.is_banned",
        "test_programs.py",
    ),
    Hole(
        "programs may do what is a person's own",
        COMMON,
        "    return path.startswith(FOR_PROGRAMS)\n",
        "    return bool(path)\n",
        "test_programs.py",
    ),
    Hole(
        "a cookie counts more than a token",
        CALLERS,
        "        if token is None:\n",
        "        if token is None or connection.cookies:\n",
        "test_programs.py",
    ),
    Hole(
        "old tokens stay good",
        KEPT_PEOPLE,
        "tokens.c.person_id == program))\n    sql.execute(insert",
        "tokens.c.person_id == digest))\n    sql.execute(insert",
        "test_programs.py",
    ),
    Hole(
        "anybody may have another's token renewed",
        "server/accounts/tokens.py",
        "        raise Refusal(Reason.NO_SUCH_PROGRAM)\n",
        '        return Program(program, "", 0, None)\n',
        "test_programs.py",
    ),
    Hole(
        "what was read before somebody was sent away is remembered",
        IDENTITIES,
        "if changes == self._changes:",
        "if changes <= self._changes:",
        "test_identities.py",
    ),
    Hole(
        "devices that were signed out stay in",
        IDENTITIES,
        "if not await self._people.is_device_valid(person_id, device):",
        "if not device:",
        "test_identities.py",
    ),
    Hole(
        "signing in gives a device that can be foreseen",
        IDENTITIES,
        "        device = secrets.token_urlsafe(DEVICE_BYTES)\n        await self._people.add_device",
        '        device = f"device-of-{person.id}"\n        await self._people.add_device',
        "test_identities.py",
    ),
    Hole(
        "codes work for people who were sent away",
        IDENTITIES,
        "        if person.is_banned:\n            raise Refusal(Reason.BANNED)\n",
        "",
        "test_codes.py",
    ),
    Hole(
        "codes work twice",
        KEPT_PEOPLE,
        "delete(codes).where(codes.c.digest == digest).returning(codes.c.person_id, codes.c.expires)",
        "select(codes.c.person_id, codes.c.expires).where(codes.c.digest == digest)",
        "test_codes.py",
    ),
    Hole("codes never expire", KEPT_PEOPLE, "if found and found.expires > now", "if found", "test_codes.py"),
    Hole(
        "links are compared sign by sign",
        ACCESS,
        "hmac.compare_digest(table.invite.encode(), given)",
        "table.invite.encode() == given",
        "test_tokens.py",
    ),
    Hole(
        "the host's token is compared sign by sign",
        "server/accounts/keys.py",
        'hmac.compare_digest(self.admin_token().encode(), text.encode("utf-8", "surrogatepass"))',
        "self.admin_token() == text",
        "test_tokens.py",
    ),
    Hole(
        "the invitation is compared sign by sign",
        "server/operations/host_rules.py",
        "hmac.compare_digest(self.invitation().encode(), given)",
        "self.invitation().encode() == given",
        "test_tokens.py",
    ),
    Hole("anybody is the host", HOST, "    guards = (check_host,)\n", "", "test_endpoints.py"),
    Hole(
        "the host's token is guessed at any pace",
        HOST,
        '        component_of(connection, "limits").take(HOST, source_of(connection))\n',
        "",
        "test_limits.py",
    ),
    Hole(
        "codes are guessed at any pace from one address",
        PEOPLE,
        "    limits.take(SIGN_INS, source_of(request))\n",
        "",
        "test_limits.py",
    ),
    Hole(
        "codes are guessed at any pace from many addresses",
        "server/accounts/identities.py",
        "CODE_LENGTH = 10\n",
        "CODE_LENGTH = 8\n",
        "test_limits.py",
    ),
    Hole(
        "an IPv6 network has a limit for each of its addresses",
        CALLERS,
        "    if isinstance(_read_address(found), IPv6Address):",
        "    if found is None:",
        "test_limits.py",
    ),
    Hole(
        "other sites open sockets",
        SECURITY,
        "        elif self._is_cross_site(scope):",
        "        elif self._is_cross_site(scope) and not scope:",
        "test_origins.py",
    ),
    Hole(
        "unencrypted pages are our own",
        SECURITY,
        'if public and public.scheme == "https" and',
        'if public and public.scheme == "http" and',
        "test_origins.py",
    ),
    Hole(
        "inline scripts run",
        SECURITY,
        "script-src 'self';",
        "script-src 'self' 'unsafe-inline';",
        "test_headers.py",
    ),
    Hole("scripts read the cookie", PEOPLE, "httponly=True", "httponly=False", "test_identities.py"),
    Hole(
        "bodies may say they are text",
        COMMON,
        "if self.content_type[0] != RequestEncodingType.JSON:",
        "if self.content_type[0] == RequestEncodingType.MULTI_PART:",
        "test_hostile_requests.py",
    ),
    Hole(
        "failures are told",
        "server/http/errors.py",
        "reason_of(Refusal(Reason.SERVER_FAILED))",
        'WireReason("server_failed", {}, str(error))',
        "test_failures.py",
    ),
    Hole(
        "spectators get the link",
        "live/updates.py",
        "table.invite if seats or is_owner else None",
        "table.invite",
        "test_secrets.py",
    ),
    Hole(
        "the secret is told instead of its digest",
        "tables/listings.py",
        "commitment=table.commitment",
        "commitment=table.secret.hex()",
        "test_secrets.py",
    ),
    Hole(
        "cookies are logged",
        "server/operations/logs.py",
        "|royalcrypt-[0-9a-f]{8}",
        "",
        "test_secrets.py",
    ),
    Hole(
        "an export tells what running games hide",
        EXPORT,
        "table.game.record_for(None)",
        "table.game.record()",
        "../rest/test_host.py",
    ),
    Hole(
        "a sealed record tells its secret",
        "live/seals.py",
        'if name != "seed"',
        "if name",
        "../test_daily.py",
    ),
    Hole(
        "an export tells the host what lies before them",
        EXPORT,
        "if not await self._seals.holds(seal_of(kept.record)):",
        "if kept.record:",
        "../test_daily.py",
    ),
    Hole(
        "a day can be tried again",
        "live/operations/daily.py",
        "self._attempt if is_today else self._practise",
        "self._practise",
        "../test_daily.py",
    ),
    Hole(
        "who plays at one table of a duplicate may watch another",
        "tables/seals.py",
        "spectators=False",
        "spectators=True",
        "../test_duplicates.py",
    ),
    Hole(
        "somebody sits at two tables of a duplicate",
        DUPLICATES,
        "if other.id != table.id and other.seats_of(person):",
        "if other.id == person:",
        "../test_duplicates.py",
    ),
    Hole(
        "who got up from a table goes on leading it, and may look",
        "tables/table.py",
        "        if self.seal is not None:\n            self._replace_owner()\n",
        "",
        "../test_duplicates.py",
    ),
    Hole(
        "results are told while others still play",
        DUPLICATES,
        "scores=None if is_sealed else scores_of(table)",
        "scores=scores_of(table)",
        "../test_duplicates.py",
    ),
)
