"""Tables led to where a test wants them, by the same commands that people give."""

import random
from collections.abc import Callable
from copy import deepcopy
from itertools import islice
from typing import Any

import msgspec

from royalcrypt.notation.moves import Move
from royalcrypt.play.game import Game
from royalcrypt.rules import actions as codes
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.settings import SECOND, TableSettings
from royalcrypt.tables.table import ANY_TIME, Table

ADA, BO, CLEO, DAN = (Sitter(name.lower(), name) for name in ("Ada", "Bo", "Cleo", "Dan"))
NOON = 1_800_000_000_000
SECRET = bytes(range(32)).hex()


def opened(owner: Sitter = ADA, *, reserved: tuple[Sitter | None, ...] = (), **settings: Any) -> Table:
    """An empty table whose chance is the same every time."""
    entry = commands.open_table(
        msgspec.convert(settings, TableSettings), owner.person, now=NOON, reserved=reserved
    )
    return Table("table").after(msgspec.structs.replace(entry, secret=SECRET))


def seated(*sitters: Sitter, **settings: Any) -> Table:
    """With these people in the seats from 0 on; the first is the owner."""
    chosen: dict[str, Any] = {"players": len(sitters)} | settings
    table = opened(sitters[0], **chosen)
    for seat, sitter in enumerate(sitters):
        table = sat(table, sitter, seat)
    return table


def sat(table: Table, sitter: Sitter, seat: int, entropy: str = "") -> Table:
    return table.after(commands.sit(table, sitter, seat, entropy or sitter.name, now=table.updated))


def started(*sitters: Sitter, **settings: Any) -> Table:
    """Running, with seat 0 as Leader unless another is named."""
    chosen: dict[str, Any] = {"leader": 0} | settings
    table = seated(*sitters, **chosen)
    return table.after(commands.start(table, sitters[0].person, now=NOON))


def game_of(table: Table) -> Game:
    assert table.game is not None
    return table.game


def actor_of(table: Table) -> int:
    assert table.actor is not None
    return table.actor


def some_move(table: Table, seat: int, choice: int = 0) -> Move | None:
    """A legal whole action of a seat; None if it has none now."""
    found = list(islice(game_of(table).view(seat).moves(), choice + 1))
    return found[-1] if found else None


def act(table: Table, seat: int, move: Move | str, *, ply: int | None = None, seconds: float = 1) -> AnyEntry:
    """What a person's move becomes, so many seconds after the last entry."""
    person = table.seats[seat].person or "nobody"
    wanted = Move.parse(move) if isinstance(move, str) else move
    now = table.updated + round(seconds * SECOND)
    return commands.act(table, person, seat, table.ply if ply is None else ply, wanted, now=now)


def moved(table: Table, *, seconds: float = 1, chance: random.Random | None = None) -> Table:
    """After a move of the seat whose decision it is."""
    seat = actor_of(table)
    choice = chance.randrange(25) if chance else 0
    move = some_move(table, seat, choice)
    assert move is not None
    if table.seats[seat].is_played_by_bot:
        return table.after(commands.act_for(table, seat, move, now=table.updated + round(seconds * SECOND)))
    return table.after(act(table, seat, move, seconds=seconds))


def led_to(table: Table, wanted: Callable[[Table], bool], *, seed: int = 0) -> Table:
    """Play at random until it is as wanted; later games if this one ends before."""
    for number in range(seed, seed + 50):
        chance = random.Random(number)
        found = table
        while found.status is Status.RUNNING:
            if wanted(found):
                return found
            found = moved(found, chance=chance)
    raise AssertionError("it never came to that")


def any_time_move(table: Table, seat: int) -> Move | None:
    """What a seat may do now whosever turn it is (R9.1)."""
    view = game_of(table).view(seat)
    if not {codes.PEEK, codes.MEND} & set(view.actions):
        return None
    return next(move for move in view.moves() if move.actions[0].verb in ANY_TIME)


def ended(table: Table) -> Table:
    while table.status is Status.RUNNING:
        table = moved(table)
    return table


def facts(table: Table) -> dict[str, Any]:
    """All there is to a table, in comparable form, and a copy: what is altered later does not alter it."""
    game = table.game
    told = None
    if game is not None:
        told = (game.position(), game.moves[:], game.events[:], game.record().extra, game.seats, game.created)
    # What is kept written of it is no fact of its own: the laws compare that with what it was written from.
    caches = ("game", "info_template", "_parts")
    plain = {name: value for name, value in vars(table).items() if name not in caches}
    return deepcopy(plain) | {"game": told}
