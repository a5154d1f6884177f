"""Files on this machine: the save of a running game, with its secret, and records of finished games."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.game import Game
from royalcrypt.server.settings import data_folder

NOTES = "terminal"
"""The key of the terminal's own data in a save; readers of records ignore it."""


class CannotPlay(Exception):  # noqa: N818 (as Refusal)
    """The game cannot start or be saved; the message says why."""


@dataclass(slots=True)
class SavedGame:
    """A game in progress at this terminal."""

    game: Game
    bot_seed: int
    told: list[int]
    """By seat, how many events its player has seen."""


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
        raise CannotPlay(say("terminal.refuse.no_save")) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CannotPlay(say("terminal.refuse.unreadable", path=path, why=_why(error))) from None
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
    return CannotPlay(say("terminal.refuse.broken_save", path=save_path(), why=why))


def is_saved(game: Game) -> bool:
    """Whether the save on this machine is of this game."""
    try:
        found: Any = json.loads(save_path().read_text("utf-8"))
        return found["game"]["id"] == game.id
    except (OSError, ValueError, KeyError, TypeError):
        return False


def drop_save(game: Game) -> None:
    if is_saved(game):
        save_path().unlink(missing_ok=True)


def keep_record(game: Game) -> Path:
    """Keep a finished game's record; it has no secrets left."""
    moment = (game.created or "").replace(":", "").replace("-", "")
    return _write(data_folder() / "records" / f"{moment}-{game.id}.json", game.record().to_json())


def _write(path: Path, text: str) -> Path:
    from royalcrypt.server.accounts.keys import write_private

    try:
        write_private(path, text)
    except OSError as error:
        raise CannotPlay(say("terminal.refuse.cannot_save", path=path, why=_why(error))) from None
    return path


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
