"""All limits that protect a server from its clients, each with its reason and its name in the metrics.

The metric ``royalcrypt_limits_reached`` counts, by name, how often a limit refused, closed or forgot
something. Limits that only divide work into pieces, or make a client wait, are not counted. Limits that a
host may change, such as ``max_connections``, are settings.
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


class Share(NamedTuple):
    """A limit that is a part of another one."""

    name: str
    part: float


class QueueLimit(NamedTuple):
    """A limit of heavy work that everybody shares (``FairQueue``)."""

    name: str
    slots: int
    """Number of pieces of work at the same time."""
    waiting: int
    """Most that wait."""
    of_address: int
    """Most of these from one address."""
    of_requester: int
    """Most of these from one person, or an address without an account."""
    seconds: int
    """When refused clients shall try again."""


# Connections. The settings max_connections and max_connections_per_address are counted by these names, too.
WAITING = Share("waiting_connections", 0.5)
"""Of ``max_connections``: connections without a complete request. The other half is for people who play."""
CROWD = Share("crowded", 0.8)
"""Of ``max_connections``: above it, connections without a complete request are closed early."""
REQUEST_TIME = TimeLimit("request_time", 20.0)
"""For receiving a complete request: the longest record needs 30 KB a second."""
CROWDED_REQUEST_TIME = TimeLimit("crowded_request_time", 3.0)
"""The same, in a crowd: three round trips to the far side of the world."""
READ_TIME = TimeLimit("read_time", 20.0)
"""In which a client must read some of what waits for it: as long as a lost connection takes to come back."""
READ_BYTES = Bound("read_bytes", 16 * 1024)
"""What a client must read within that time, so that nobody holds a response's memory by reading bytes."""
CLOSE_TIME = TimeLimit("close_time", 5.0)
"""For a client to read the end of what was sent to it and to close."""
HEAD_BYTES = Bound("head_bytes", 64 * 1024)
"""Of a request without its body: eight times what browsers send at most."""
HEADERS = Bound("headers", 100)
"""Of a request: browsers and proxies send 30."""
PIPELINED = Bound("pipelined_requests", 4)
"""Of a connection, read before an earlier one was answered: reading stops at the first, but one read of a
body's end may contain more."""
PIECE_BYTES = Bound("piece_bytes", 1024)
"""Parsed of one connection at once: 170 of the smallest frames take 2 ms."""
PIECES = Bound("pieces", 16)
"""Of requests, parsed of one connection before others get their turn: as much as the longest common body."""
REQUESTS_AT_ONCE = Bound("requests_at_once", 32)
"""Of an address: complete requests that are handled at a time; each takes some 0.5 ms of every turn."""
BODY_BYTES = Bound("body_bytes", 1024 * 1024)
"""Announced by a request: more than any route takes, so that it is refused before the body comes."""
ACCEPTED = Bound("accepted", 32)
"""Connections accepted at a time before others get their turn: 32 take 3 ms."""

# Sockets.
MESSAGE_BYTES = Bound("message_bytes", 16 * 1024)
"""Of a message: 20 times the longest that the page sends."""
FRAMES = Rate("frames", 60, 15)
"""Of a connection: pings, pongs and parts of messages. Clients send one every 20 seconds."""
FRAGMENTS = Bound("fragments", 64)
"""Of a message: even empty ones take memory."""
CLOSING_BYTES = Bound("closing_bytes", 64 * 1024)
"""Parsed of a client after its socket was closed, to find its confirmation; the rest is dropped unread."""
UNREAD_MESSAGES = Bound("unread_messages", 4)
"""Of a connection: messages that wait to be handled, at which reading stops. Few clients send ahead."""
QUEUED_MESSAGES = Bound("queued_messages", 64)
"""To a client that does not read them: it catches up faster with a whole view."""
QUEUED_BYTES = Bound("queued_bytes", 512 * 1024)
"""To a client that does not read them: the size of some 20 whole views."""
STRIKES = Bound("strikes", 100)
"""Of a connection: messages beyond a rate before it is closed; each is answered with a refusal."""
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
PERSON_SOCKETS = Bound("person_sockets", 24)
"""Of a person, in one process: tabs and devices. Sockets are never closed to make place for others."""
PROGRAM_SOCKETS = Bound("program_sockets", 3)
"""Of a program: one is enough, three allow a restart without a gap."""
SPECTATORS = Bound("spectators", 500)
"""Of a table, in one process: each of them is sent every move at once, 500 in some 7 ms."""

# Accounts.
NEW_PEOPLE = Rate("new_people", 40, 30 / HOUR)
"""Of an address: an account evades limits by person. A class of 30 in one room still gets in."""
CODES = Rate("codes", 5, 10 / HOUR)
"""Of a person: sign-in codes and recovery phrases made."""
SIGN_INS = Rate("sign_ins", 5, 5 / MINUTE)
"""Of an address: codes and phrases tried.

There is no limit of everybody's attempts, which a few addresses could use up so that nobody can sign in.
Instead, a code is too long to guess from any number of addresses. It has 50 bits and lasts ten minutes, in
which one address tries 55 codes. 200 addresses hit it with odds of 1 to 100 thousand million. Even if all
addresses of the world made a server answer 5,000 attempts a second, the odds would be 1 to 375 million, and
a server with ten codes waiting at any time would lose one in 700 years. Phrases have 96 bits and do not
expire. A wrong code only reads the database.
"""
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

ANALYSIS_REQUESTS = Bound("analysis_requests", 8)
"""Of an address: requests that wait for an analysis; others are told to ask again, so that they do not use up
``REQUESTS_AT_ONCE``."""
ANALYSIS_QUEUE = QueueLimit("analysis_queue", slots=1, waiting=24, of_address=4, of_requester=1, seconds=30)
"""One takes up to three minutes of a core. Everybody waits for one game; a family may wait for four."""
REPLAY_QUEUE = QueueLimit("replay_queue", slots=2, waiting=64, of_address=16, of_requester=4, seconds=5)
"""Replays, and reading of records; people at one address may open a class's replays together."""
LINE_QUEUE = QueueLimit("line_queue", slots=2, waiting=64, of_address=8, of_requester=4, seconds=5)
"""*What if?* lines; bots think for 0.3 s a move."""

# Tables.
NEW_TABLES = Rate("new_tables", 15, 120 / HOUR)
"""Of a person: tables are stored for good, and so are rematches."""
PROGRAM_TABLES = Rate("program_tables", 10, 60 / HOUR)
"""The same, of all programs of a person."""
ADDRESS_TABLES = Rate("address_new_tables", 120, 480 / HOUR)
"""Of an address, with rematches and tables of duplicates and programs, because accounts are cheap. A class of
30 may open four tables each at once."""
PROGRAM_SEATS = Bound("program_seats", 8)
"""Of a program: open and running tables where it sits."""
LISTED_TABLES = Bound("listed_tables", 6)
"""Of a person: tables in the lobby that wait for players. Nobody can host more evenings at once."""
PROGRAM_LISTED_TABLES = Bound("program_listed_tables", 1)
"""The same, of a program: the lobby is meant for people."""
ADDRESS_LISTED_TABLES = Bound("address_listed_tables", 24)
"""The same, of an address: 70 people of a club may wait at once, three to a table. The lobby's first page has
room for the tables of four such addresses."""

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
