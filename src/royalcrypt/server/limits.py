"""All limits that protect a server from its clients, each with its reason and its name in the metrics.

The metric ``royalcrypt_limits_reached`` counts, by name, how often each limit was applied. Limits that a host
may change, such as ``max_connections``, are settings.
"""

from typing import NamedTuple

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


class Rate(NamedTuple):
    """A token-bucket limit: burst size and long-term rate."""

    name: str
    burst: int
    per_second: float


class Bound(NamedTuple):
    """A limit of a number or a size."""

    name: str
    most: int


class TimeLimit(NamedTuple):
    name: str
    seconds: float


# Sockets.
MESSAGES = Rate("messages", 60, 15)
"""Of a connection. People send one or two a second; each may cost a move's work."""
PROGRAM_MESSAGES = Rate("program_messages", 40, 10)
"""Of a program, over all its sockets."""
TALK = Rate("chat", 6, 0.6)
"""Of a person: chat and reactions go to everybody at a table."""
WATCH = Rate("watch", 30, 3)
"""Of a person: a whole table is expensive to send, and the secret part of a link could be guessed."""
HANDSHAKES = Rate("handshakes", 60, 2)
"""Of an address: each handshake reads the database and creates a connection."""
PROGRAM_SOCKETS = Bound("program_sockets", 3)
"""Of a program: one is enough, three allow a restart without a gap."""

# Accounts.
NEW_PEOPLE = Rate("new_people", 20, 30 / HOUR)
"""Of an address: an account evades limits by person. A class in one room still gets in."""
CODES = Rate("codes", 5, 10 / HOUR)
"""Of a person: sign-in codes and recovery phrases made."""
SIGN_INS = Rate("sign_ins", 5, 5 / MINUTE)
"""Of an address: codes and phrases tried, which could be guessed."""
ALL_SIGN_INS = Rate("all_sign_ins", 60, 60 / MINUTE)
"""Of everybody: codes and phrases tried."""
HOST = Rate("host_tokens", 10, 10 / MINUTE)
"""Of an address: wrong tokens of the host."""
TOKENS = Rate("tokens", 5, 20 / HOUR)
"""Of a person: programs and tokens made."""
TOKEN_ATTEMPTS = Rate("token_attempts", 12, 12 / MINUTE)
"""Of an address: wrong tokens of programs."""
PROGRAMS = Bound("programs", 5)
"""Of a person."""

# Requests.
ADDRESS_REQUESTS = Rate("address_requests", 800, 50)
"""Of an address: all requests, also for files. A class in one room loads the page at once."""
REQUESTS = Rate("requests", 120, 10)
"""Of a person: requests that may change something."""
PROGRAM_REQUESTS = Rate("program_requests", 60, 5)
"""The same, of all programs of a person."""
REPLAYS = Rate("replays", 30, 1)
"""Of a person, or an address without an account: a replay takes some 50 ms of a core."""
ANALYSES = Rate("analyses", 10, 6 / MINUTE)
"""Of a person, or an address without an account: an analysis takes seconds of a core."""
EXPLORATIONS = Rate("explorations", 40, 1)
"""Of a person, or an address without an account: moves of *What if?* lines, in which bots think."""

# Tables.
NEW_TABLES = Rate("new_tables", 15, 120 / HOUR)
"""Of a person: tables are stored for good."""
PROGRAM_TABLES = Rate("program_tables", 10, 60 / HOUR)
"""The same, of all programs of a person."""
PROGRAM_SEATS = Bound("program_seats", 8)
"""Of a program: open and running tables where it sits."""

# E-mail. These hold even if the host switches rates off.
ADDRESSES = Rate("mail_addresses", 4, 6 / DAY)
"""Of a person: e-mail addresses given."""
MAILBOXES = Rate("mailboxes", 3, 3 / DAY)
"""Of a mailbox: confirmation e-mails received, which nobody there may have asked for."""
NEW_ADDRESSES = Rate("mail_requests", 10, 30 / DAY)
"""Of an address: confirmation e-mails requested."""
ALL_ADDRESSES = Rate("all_mail_requests", 60, 120 / HOUR)
"""Of everybody: confirmation e-mails requested, which could get the host's mail server blocked."""

# Memory of the limits themselves.
BUCKETS = Bound("buckets", 50_000)
"""Subjects whose rates are remembered; the least recently seen are forgotten first."""
