"""Games in the terminal: creation from options, saves of running games, records of finished ones."""

import json
import random
import secrets
from argparse import Namespace
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from royalcrypt.cli.options import read_bots
from royalcrypt.cli.terminal.labels import BOT
from royalcrypt.locales import say
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.reasons import Refusal
from royalcrypt.notation.records import Seat
from royalcrypt.play.game import Game
from royalcrypt.rules.layout import SEATS, TYPES
from royalcrypt.server.settings import data_folder

MAX_NAME_LENGTH = 16
OPTIONS = ("players", "bots", "collectors", "seed", "names", "leader")
NOTES = "terminal"
"""Key of the terminal's additional data in a save; readers of records ignore it."""


class CannotPlay(Exception):  # noqa: N818 (as Refusal)
    """Raised if the game cannot start or be saved; the message gives the reason."""


@dataclass(slots=True)
class SavedGame:
    """A game in progress in the terminal, as stored in a save."""

    game: Game
    bot_seed: int
    told: list[int]
    """Number of events that each seat's player has seen."""


def refuse(key: str, **details: Any) -> CannotPlay:
    return CannotPlay(say(f"terminal.refuse.{key}", **details))


def check_resume(options: Namespace) -> None:
    for name in OPTIONS:
        if getattr(options, name) is not None:
            raise refuse("resume_alone", option=f"--{name}")


def new_game(options: Namespace) -> SavedGame:
    """Create a game from options; raises CannotPlay for invalid ones, or the game's Refusal."""
    bots = [] if options.bots is None else list(read_bots(options.bots))
    players = 1 + len(bots) if options.players is None else _number("players", options.players)
    if not 1 <= players <= SEATS:
        raise refuse("players", players=players)
    if len(bots) >= players:
        raise refuse("too_many_bots", count=len(bots), players=players)
    seed = None if options.seed is None else _number("seed", options.seed)
    leader = 1 if options.leader is None else _number("leader", options.leader)
    sides = _collectors(options.collectors, seed)
    if players > 1 and not 1 <= leader <= players:
        raise refuse("leader", leader=leader, players=players)
    seats = _seats(options.names, players, bots)
    game = Game.new(players=players, collectors=sides, seed=seed, leader=leader - 1, seats=seats)
    game.id = secrets.token_hex(4)
    game.created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return SavedGame(game, secrets.randbits(32) if seed is None else seed, [0] * players)


def _number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise refuse("not_a_number", option=f"--{option}", text=text) from None


def _collectors(text: str | None, seed: int | None) -> str:
    if text is None:
        return SIDES[0] * TYPES
    if text.lower() != "random":
        return text.upper()
    source = random.SystemRandom() if seed is None else random.Random(seed)
    return "".join(source.choice(SIDES) for _ in range(TYPES))


def _seats(text: str | None, players: int, bots: list[str]) -> tuple[Seat, ...]:
    given = [] if text is None else [name.strip() for name in text.split(",")]
    if len(given) > players:
        raise refuse("too_many_names", count=len(given), players=players)
    humans = players - len(bots)
    if humans == 1:
        usual = [say("terminal.you")]
    else:
        usual = [say("terminal.player", number=number) for number in range(1, humans + 1)]
    for at, bot in enumerate(bots):
        again = bots[:at].count(bot)
        usual.append(bot.capitalize() + (f" {again + 1}" if again else ""))
    names = given + usual[len(given) :]
    _check_names(names)
    kinds = ["human"] * humans + [BOT + bot for bot in bots]
    return tuple(Seat(name, kind) for name, kind in zip(names, kinds, strict=True))


def _check_names(names: list[str]) -> None:
    for name in names:
        is_short = 0 < len(name) <= MAX_NAME_LENGTH
        if not is_short or not name.isprintable() or name.isdecimal() or set(name) & set(":;"):
            raise refuse("name", name=name, longest=MAX_NAME_LENGTH)
    if len({name.casefold() for name in names}) < len(names):
        raise refuse("same_names")


def save_path() -> Path:
    return data_folder() / "save.json"


def write_save(saved: SavedGame) -> Path:
    found = saved.game.record().to_dict()
    found[NOTES] = {"bot_seed": saved.bot_seed, "told": saved.told}
    return _write(save_path(), json.dumps(found, separators=(",", ":"), ensure_ascii=False))


def read_save() -> SavedGame:
    path = save_path()
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise refuse("no_save") from None
    except (OSError, UnicodeDecodeError) as error:
        raise refuse("unreadable", path=path, why=_why(error)) from None
    try:
        found: dict[str, Any] = json.loads(text)
        game = Game.from_record(found)
        notes = cast("dict[str, Any]", found[NOTES])
        saved = SavedGame(game, int(notes["bot_seed"]), [int(count) for count in notes["told"]])
    except Refusal as refusal:
        raise _broken(str(refusal)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _broken(say("terminal.refuse.no_game")) from None
    if game.is_over or len(saved.told) != game.players:
        raise _broken(say("terminal.refuse.no_game"))
    return saved


def _broken(why: str) -> CannotPlay:
    return refuse("broken_save", path=save_path(), why=why)


def drop_save(game: Game) -> None:
    """Delete the save if it belongs to this game."""
    try:
        found: Any = json.loads(save_path().read_text("utf-8"))
        if found["game"]["id"] == game.id:
            save_path().unlink(missing_ok=True)
    except (OSError, ValueError, KeyError, TypeError):
        pass  # There is no valid save.


def keep_record(game: Game) -> Path:
    """Store a finished game's record, which contains no secrets any more; returns its path."""
    moment = (game.created or "").replace(":", "").replace("-", "")
    return _write(data_folder() / "records" / f"{moment}-{game.id}.json", game.record().to_json())


def _write(path: Path, text: str) -> Path:
    from royalcrypt.server.accounts.keys import write_private

    try:
        write_private(path, text)
    except OSError as error:
        raise refuse("cannot_save", path=path, why=_why(error)) from None
    return path


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
