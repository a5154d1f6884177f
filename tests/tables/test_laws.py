"""Laws of every table, whatever is done at it: refused is unchanged, and the journal tells all."""

import random
from collections import Counter
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.entries import AnyEntry, Opened, decode_entry, encode_entry
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import Pace, decode_info, encode_info, listing_of, table_info
from royalcrypt.tables.settings import SECOND, TableSettings
from royalcrypt.tables.table import Table
from tests.tables.leading import ADA, BO, CLEO, NOON, SECRET, facts, some_move

if TYPE_CHECKING:
    from collections.abc import Callable

PEOPLE = {sitter.person: sitter for sitter in (ADA, BO, CLEO)}
BAD_MOVES = ("recover", "decline", "peek", "1:3x6", "6:1x1", "mend R1 R2")
CLOCKS = (None, {"kind": "live", "move": 5, "bank": 10}, {"kind": "days", "days": 1})
OUTAGES: list[Outage] = [(NOON + 10_000, NOON + 25_000), (NOON + 90_000, NOON + 200_000)]
STEPS = 60


def an_opening(chance: random.Random) -> Opened:
    players = chance.choice((1, 2, 2, 3, 4))
    chosen = {
        "players": players,
        "collectors": "".join(chance.choices("AB?", k=6)),
        "leader": chance.choice(["random", 0]),
        "clock": chance.choice(CLOCKS),
        "bots": [{"seat": 1, "level": "greedy"}] if players > 1 and chance.random() < 0.4 else [],
    }
    kept = tuple(chance.choices((None, None, *PEOPLE.values()), k=chance.randint(0, players)))
    entry = commands.open_table(msgspec.convert(chosen, TableSettings), ADA.person, now=NOON, reserved=kept)
    return msgspec.structs.replace(entry, secret=SECRET)


def go_on(table: Table, chance: random.Random, now: int) -> AnyEntry:
    """What brings the table nearer to its end, mostly."""
    if table.status is Status.OPEN:
        empty = [seat for seat, place in enumerate(table.seats) if place.is_free]
        if not empty:
            return commands.start(table, table.owner, now=now)
        kept_for = table.seats[empty[0]].reserved_for or chance.choice(list(PEOPLE))
        return commands.sit(table, PEOPLE[kept_for], empty[0], kept_for, now=now)
    if table.actor is None:
        return commands.rematch(table, chance.choice(list(PEOPLE)), "next", now=now)[0]
    move = some_move(table, table.actor, chance.randrange(12)) or Move.parse("recover")
    if table.seats[table.actor].is_played_by_bot:
        return commands.act_for(table, table.actor, move, now=now)
    return commands.act(table, table.seats[table.actor].person or "", table.actor, table.ply, move, now=now)


def do_anything(table: Table, chance: random.Random, now: int) -> AnyEntry:
    """What anybody may try at any moment, sensible or not."""
    who = chance.choice((table.owner, *PEOPLE))
    seat = chance.randint(-1, len(table.seats))
    ply = table.ply + chance.choice((0, 0, 0, -1, -2, 1))
    own = 0 <= seat < len(table.seats) and table.game is not None and some_move(table, seat, 3)
    move = own or Move.parse(chance.choice(BAD_MOVES))
    present = tuple(chance.random() < 0.3 for _ in range(4))
    every: list[Callable[[], AnyEntry]] = [
        lambda: commands.sit(table, PEOPLE[who], seat, "x", now=now),
        lambda: commands.seat_bot(table, who, seat, chance.choice(("greedy", "nobody")), now=now),
        lambda: commands.free_seat(table, who, seat, now=now),
        lambda: commands.start(table, who, now=now),
        lambda: commands.leave(table, who, now=now),
        lambda: commands.return_to(table, who, now=now),
        lambda: commands.return_to(table, who, now=now),
        lambda: commands.hand_over(table, who, seat, present=present, now=now),
        lambda: commands.rematch(table, who, "next", now=now)[0],
        lambda: commands.run_out(table, now=now) or commands.leave(table, "nobody", now=now),
        lambda: commands.act(table, who, seat, ply, move, now=now),
        lambda: commands.act_for(table, max(seat, 0) % len(table.seats), move, now=now),
    ]
    if chance.random() < 0.05:
        return commands.close_as_owner(table, who, now=now)
    return chance.choice(every)()


def lead(seed: int, counts: Counter[str]) -> tuple[Table, list[bytes]]:
    """A table led at random; checks on the way that tables which others may hold are never altered."""
    chance = random.Random(seed)
    opened = an_opening(chance)
    table = Table("table", OUTAGES).after(opened)
    lines = [encode_entry(opened)]
    now = NOON
    for _ in range(STEPS):
        now += chance.choice((1, 1, 3, 20)) * SECOND
        before = facts(table)
        try:
            is_orderly = chance.random() < (0.35 if table.status is Status.OPEN else 0.65)
            entry = (go_on if is_orderly else do_anything)(table, chance, now)
            after = table.after(entry)
        except Refusal:
            counts["refused"] += 1
            assert facts(table) == before
            continue
        counts[type(entry).__name__] += 1
        assert facts(table) == before
        assert decode_entry(encode_entry(entry)) == entry
        assert after.ply == table.ply + 1
        assert listing_of(after, Pace()).info == encode_info(table_info(after))
        table = after
        lines.append(encode_entry(entry))
    return table, lines


def check_whole(table: Table) -> None:
    """Seats are held by one or none, listings read back, and no bank is overdrawn."""
    assert decode_info(listing_of(table, Pace()).info) == table_info(table)
    for place in table.seats:
        assert not (place.person and place.level)
        assert place.taken_over is None or place.person is not None
        assert (place.taken_over is None) == (place.away_since is None)
    if table.clock is not None:
        assert min(table.clock.banks) >= 0
    assert table.actor is not None or table.deadline is None


def test_the_journal_tells_all_and_what_is_refused_changes_nothing() -> None:
    counts: Counter[str] = Counter()

    @settings(max_examples=40)
    @given(st.integers(0, 1 << 32))
    def holds(seed: int) -> None:
        table, lines = lead(seed, counts)
        check_whole(table)
        assert facts(Table.from_journal("table", lines, OUTAGES)) == facts(table)
        half = Table.from_journal("table", lines[: len(lines) // 2], OUTAGES)
        half.catch_up(lines[half.ply :])
        assert facts(half) == facts(table)

    holds()
    kinds = {kind.__name__ for kind in get_args(AnyEntry)} - {"Opened"}
    assert kinds <= counts.keys(), counts
    assert counts["Moved"] > 500, counts
    assert counts["refused"] > 500, counts


def test_entries_say_only_what_is_not_usual() -> None:
    """Journals are kept for ever: an entry is no longer than it must be."""
    moved = b'{"type":"moved","at":1,"seat":0,"move":"recover"}'
    plain: Any = msgspec.json.decode(encode_entry(decode_entry(moved)))
    assert plain == {"type": "moved", "at": 1, "seat": 0, "move": "recover"}
