"""Commands of people, bots and the clock: each function checks one and returns its entry or raises Refusal.

Entries are fully checked, except moves, which the rules check when the table applies the entry.
"""

import secrets
from collections.abc import Sequence

import msgspec

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal, seat_number
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.tables import entries
from royalcrypt.tables.entries import AnyEntry, Sitter, WhyClosed, WhyTakenOver
from royalcrypt.tables.journal import Status
from royalcrypt.tables.settings import BotChoice, TableSettings, check_bot, check_settings
from royalcrypt.tables.table import Place, Table

INVITE_BYTES = 12
MAX_RUN_OUTS = 2
"""Number of time-outs on one decision after which a bot makes it, even if the person returns."""


def open_table(
    settings: TableSettings,
    owner: str,
    *,
    now: int,
    reserved: tuple[Sitter | None, ...] = (),
    follows: str | None = None,
    secret: bytes | None = None,
    seal: str | None = None,
) -> entries.Opened:
    """Return the first entry of a new table, with a new secret or, under a seal, a shared one."""
    check_settings(settings)
    return entries.Opened(
        at=now,
        settings=settings,
        owner=owner,
        secret=secrets.token_hex(SECRET_BYTES) if secret is None else secret.hex(),
        invite=secrets.token_urlsafe(INVITE_BYTES),
        reserved=reserved,
        follows=follows,
        seal=seal,
    )


def sit(table: Table, sitter: Sitter, seat: int, entropy: str, *, now: int) -> AnyEntry:
    """Take a seat; for the person's present seat this only changes name and entropy."""
    _need(table, Status.OPEN)
    place = _place(table, seat)
    if place.person not in (None, sitter.person) or place.level is not None:
        raise Refusal(Reason.SEAT_TAKEN, seat=seat + 1, name=place.name or "")
    if place.reserved_for not in (None, sitter.person):
        raise Refusal(Reason.SEAT_KEPT, seat=seat + 1, name=place.name or "")
    return _sat(table, sitter, seat, entropy, now)


def seat_program(
    table: Table, person: str, program: Sitter, seat: int, entropy: str, *, now: int
) -> AnyEntry:
    """Give a free seat to a program of the table's owner."""
    _need(table, Status.OPEN)
    _need_owner(table, person)
    if _place(table, seat).person not in (None, program.person):
        raise Refusal(Reason.SEAT_TAKEN, seat=seat + 1, name=table.seats[seat].name or "")
    return _sat(table, program, seat, entropy, now)


def _sat(table: Table, sitter: Sitter, seat: int, entropy: str, now: int) -> AnyEntry:
    """Seat a person or program; people may hold several seats, programs only one."""
    # The program's keeper may play at another table with the same seal.
    if sitter.keeper is not None and table.seal is not None:
        raise Refusal(Reason.NOT_FOR_PROGRAMS)
    if sitter.keeper is not None and set(table.seats_of(sitter.person)) - {seat}:
        raise Refusal(Reason.PROGRAM_SEATED, name=sitter.name)
    return entries.Sat(now, seat, sitter.person, sitter.name, entropy, sitter.keeper)


def seat_bot(table: Table, person: str, seat: int, level: str, *, now: int) -> AnyEntry:
    _need(table, Status.OPEN)
    _need_owner(table, person)
    check_bot(level)
    if _place(table, seat).person is not None:
        raise Refusal(Reason.SEAT_TAKEN, seat=seat + 1, name=table.seats[seat].name or "")
    people = sum(place.level is None for place in table.seats) - (table.seats[seat].level is None)
    if people == 0:
        raise Refusal(Reason.BOTS_ONLY)
    return entries.Seated(now, seat, level)


def free_seat(table: Table, person: str, seat: int, *, now: int) -> AnyEntry:
    """Free the person's seat or, for the table's owner, any seat."""
    _need(table, Status.OPEN)
    if _place(table, seat).person != person:
        _need_owner(table, person)
    return entries.Freed(now, seat)


def start(table: Table, person: str, *, now: int) -> AnyEntry:
    _need(table, Status.OPEN)
    _need_owner(table, person)
    free = sum(place.is_free for place in table.seats)
    if free:
        raise Refusal(Reason.SEATS_EMPTY, count=free)
    return entries.Started(now, *draw_set_up(table.settings))


def draw_set_up(settings: TableSettings) -> tuple[str, int]:
    """Return the Collector sides and the Leader, drawing those that the settings leave open."""
    collectors = "".join(secrets.choice("AB") if side == "?" else side for side in settings.collectors)
    leader = settings.leader
    return collectors, secrets.randbelow(settings.players) if leader == "random" else leader


def act(table: Table, person: str, seat: int, ply: int, move: Move, *, now: int) -> AnyEntry:
    """Make a person's move, which was chosen when the table was at ``ply``."""
    check_playing(table, person, seat)
    _check_ply(table, seat, ply, move)
    return entries.Moved(now, seat, str(move))


def check_own(table: Table, person: str, seat: int) -> None:
    if _place(table, seat).person != person:
        raise Refusal(Reason.NOT_YOUR_SEAT, seat=seat + 1)


def check_playing(table: Table, person: str, seat: int) -> None:
    """Raise Refusal unless the person holds and currently plays this seat of a running game."""
    _need(table, Status.RUNNING)
    check_own(table, person, seat)
    if table.seats[seat].taken_over is not None:
        raise Refusal(Reason.SEAT_WITH_BOT, seat=seat + 1)


def _check_ply(table: Table, seat: int, ply: int, move: Move) -> None:
    """Raise Refusal for an outdated move; only others' any-time actions (R9.1) do not outdate it."""
    if ply > table.ply:
        raise Refusal(Reason.PLY_AHEAD, ply=ply, now=table.ply)
    missed = table.ply - ply
    if missed > len(table.recent):
        raise Refusal(Reason.STALE, ply=ply, now=table.ply)
    since = [table.recent[index] for index in range(len(table.recent) - missed, len(table.recent))]
    if any(entry.seat == seat and entry.move == str(move) for entry in since):
        raise Refusal(Reason.ALREADY_DONE)
    if any(entry.seat == seat or not entry.is_harmless for entry in since):
        raise Refusal(Reason.STALE, ply=ply, now=table.ply)


def act_for(table: Table, seat: int, move: Move, *, now: int) -> AnyEntry:
    """Make a bot's move, for its seat or for a person who is away."""
    _need(table, Status.RUNNING)
    if table.actor != seat or not table.seats[seat].is_played_by_bot:
        raise Refusal(Reason.NOT_YOUR_TURN, seat=seat_number(seat), actor=seat_number(table.actor))
    return entries.Moved(now, seat, str(move), is_bots=True)


def leave(table: Table, person: str, *, now: int, why: WhyTakenOver = "left") -> AnyEntry:
    """Leave the table; in a running game a bot plays until the person returns."""
    seats = table.seats_of(person)
    if table.status is Status.OPEN:
        is_expected = any(place.reserved_for == person for place in table.seats)
        if not seats and person != table.owner and not is_expected:
            raise Refusal(Reason.NOT_SEATED)
        is_last = not any(
            place.person not in (None, person) and place.keeper is None for place in table.seats
        )
        if is_last and table.seal is None:  # Sealed tables wait for others who may still join.
            return entries.Closed(now, "empty")
        return entries.Left(now, person)
    _need(table, Status.RUNNING)
    if not seats:
        raise Refusal(Reason.NOT_SEATED)
    playing = tuple(seat for seat in seats if table.seats[seat].taken_over is None)
    if not playing:
        raise Refusal(Reason.ALREADY_AWAY)
    return entries.TakenOver(now, playing, why)


def return_to(table: Table, person: str, *, now: int) -> AnyEntry:
    """Take the person's seats back from the bot."""
    _need(table, Status.RUNNING)
    seats = table.seats_of(person)
    if not seats:
        raise Refusal(Reason.NOT_SEATED)
    away = tuple(seat for seat in seats if table.seats[seat].taken_over is not None)
    if not away:
        raise Refusal(Reason.NOT_AWAY)
    # Otherwise a person who returns repeatedly and times out again would block the others.
    if table.actor in away and table.seats[table.actor].run_outs >= MAX_RUN_OUTS and table.is_attended:
        raise Refusal(Reason.BOT_DECIDES)
    return entries.Returned(now, away)


def hand_over(table: Table, person: str, seat: int, *, present: Sequence[bool], now: int) -> AnyEntry:
    """Hand an absent person's seat to a bot, at a table without a clock.

    Only the owner may do this or, while the owner is absent, any player. ``present`` has one flag per seat.
    """
    _need(table, Status.RUNNING)
    is_owner_there = any(present[mine] for mine in table.seats_of(table.owner))
    if is_owner_there or not table.seats_of(person):
        _need_owner(table, person)
    if _place(table, seat).person is None:
        raise Refusal(Reason.NOT_SEATED)
    if table.seats[seat].taken_over is not None:
        raise Refusal(Reason.ALREADY_AWAY)
    if present[seat] or table.clock is not None:
        raise Refusal(Reason.STILL_THERE, name=table.seats[seat].name or "")
    return entries.TakenOver(now, (seat,), "left")


def run_out(table: Table, *, now: int) -> entries.TakenOver | None:
    """Return the take-over entry if the deciding person's time has run out, else None."""
    deadline = table.deadline
    if deadline is None or table.actor is None or now < deadline:
        return None
    return entries.TakenOver(now, (table.actor,), "time")


def close(table: Table, *, why: WhyClosed, now: int) -> AnyEntry:
    if table.status not in (Status.OPEN, Status.RUNNING):
        raise Refusal(Reason.TABLE_CLOSED)
    return entries.Closed(now, why)


def close_as_owner(table: Table, person: str, *, now: int) -> AnyEntry:
    """Close a table as its owner; only possible before the game starts."""
    _need(table, Status.OPEN)
    _need_owner(table, person)
    return close(table, why="owner", now=now)


def rematch(
    table: Table, person: str, new_id: str, *, instead_of: str | None = None, now: int
) -> tuple[entries.Followed, entries.Opened]:
    """Create a rematch: a new table with the same people in the same seats and the next Leader.

    A table has one rematch, which can be replaced only if it was closed (``instead_of``).
    """
    _need(table, Status.OVER)
    if not table.seats_of(person):
        raise Refusal(Reason.NOT_SEATED)
    if table.followed_by != instead_of:
        raise Refusal(Reason.ALREADY_DONE)
    leader = (table.leader + 1) % len(table.seats)
    bots = tuple(
        BotChoice(seat, place.level) for seat, place in enumerate(table.seats) if place.level is not None
    )
    opened = open_table(
        msgspec.structs.replace(table.settings, leader=leader, bots=bots),
        person,
        now=now,
        reserved=tuple(
            Sitter(place.person, place.name, place.keeper) if place.person and place.name else None
            for place in table.seats  # Deleted people have no name.
        ),
        follows=table.id,
    )
    return entries.Followed(now, new_id), opened


def _place(table: Table, seat: int) -> Place:
    if not 0 <= seat < len(table.seats):
        raise Refusal(Reason.WRONG_SEAT, seat=seat + 1, seats=len(table.seats))
    return table.seats[seat]


def _need_owner(table: Table, person: str) -> None:
    if table.owner != person:
        raise Refusal(Reason.NOT_OWNER)


WHY_NOT = {
    Status.OPEN: Reason.NOT_STARTED,
    Status.RUNNING: Reason.ALREADY_STARTED,
    Status.OVER: Reason.GAME_OVER,
    Status.CLOSED: Reason.TABLE_CLOSED,
}


def _need(table: Table, status: Status) -> None:
    if table.status is not status:
        raise Refusal(WHY_NOT[table.status])
