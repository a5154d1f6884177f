"""Makes a game from the command-line options of ``royalcrypt play --terminal``."""

import random
import secrets
from argparse import Namespace
from datetime import UTC, datetime
from typing import Any

from royalcrypt.cli.options import read_bots
from royalcrypt.cli.terminal.people import BOT
from royalcrypt.cli.terminal.saves import CannotPlay, SavedGame
from royalcrypt.locales import say
from royalcrypt.notation.cards import SIDES
from royalcrypt.notation.records import Seat
from royalcrypt.play.game import Game
from royalcrypt.rules.layout import SEATS, TYPES

LONGEST_NAME = 16
OPTIONS = ("players", "bots", "collectors", "seed", "names", "leader")


def refuse(key: str, **details: Any) -> CannotPlay:
    return CannotPlay(say(f"terminal.refuse.{key}", **details))


def check_resume(options: Namespace) -> None:
    for name in OPTIONS:
        if getattr(options, name) is not None:
            raise refuse("resume_alone", option=f"--{name}")


def new_game(options: Namespace) -> SavedGame:
    """Raises CannotPlay for a wrong option, or Refusal from the game itself."""
    bots = _bots(options.bots)
    players = _players(options.players, len(bots))
    seed = None if options.seed is None else _number("seed", options.seed)
    game = Game.new(
        players=players,
        collectors=_collectors(options.collectors, seed),
        seed=seed,
        leader=_leader(options.leader, players),
        seats=_seats(options.names, players, bots),
    )
    game.id = secrets.token_hex(4)
    game.created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    bot_seed = secrets.randbits(32) if seed is None else seed
    return SavedGame(game, bot_seed, [0] * players)


def _number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise refuse("not_a_number", option=f"--{option}", text=text) from None


def _bots(text: str | None) -> list[str]:
    return [] if text is None else list(read_bots(text))


def _players(text: str | None, bots: int) -> int:
    players = 1 + bots if text is None else _number("players", text)
    if not 1 <= players <= SEATS:
        raise refuse("players", players=players)
    if bots >= players:
        raise refuse("too_many_bots", count=bots, players=players)
    return players


def _collectors(text: str | None, seed: int | None) -> str:
    if text is None:
        return SIDES[0] * TYPES
    if text.lower() != "random":
        return text.upper()
    source = random.SystemRandom() if seed is None else random.Random(seed)
    return "".join(source.choice(SIDES) for _ in range(TYPES))


def _leader(text: str | None, players: int) -> int:
    if text is None:
        return 0
    leader = _number("leader", text)
    if players > 1 and not 1 <= leader <= players:
        raise refuse("leader", leader=leader, players=players)
    return leader - 1


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
        is_short = 0 < len(name) <= LONGEST_NAME
        if not is_short or not name.isprintable() or name.isdecimal() or set(name) & set(":;"):
            raise refuse("name", name=name, longest=LONGEST_NAME)
    if len({name.casefold() for name in names}) < len(names):
        raise refuse("same_names")
