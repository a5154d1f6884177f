"""How a question is put: deals are cut into pieces, played by whoever has time, and concluded from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from royalcrypt.bots.ratings import FILE, load_ratings
from royalcrypt.lab.crew import Crew
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.answers import Study
from royalcrypt.lab.studies.scripts import SCRIPT
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.chance import choose_sides, game_key
from royalcrypt.rules.layout import TYPES

Array = np.ndarray[Any, np.dtype[Any]]
Columns = dict[str, Array]
"""A row for each observation."""
NAMES = ("collectors", "cards", "solo", "seats", "effort", "recover", "setups")
SIDED = tuple(f"{name.title()} {side}" for name in TYPE_NAMES for side in "AB")
PLAYERS_ROLES = {1: "ghost", 2: "heir-0", 3: "heir-1", 4: "heir-2"}


@dataclass(frozen=True)
class Plan:
    """All that the figures depend on."""

    deals: Mapping[int, int]
    """By number of players."""
    seed: int
    bot: str = BOT


@dataclass(frozen=True)
class Piece:
    """Deals that are played in a row, with all that is asked of each."""

    question: str
    players: int
    deals: range
    seed: int
    bot: str


@dataclass(frozen=True)
class Question:
    title: str
    asked: str
    deals: Mapping[int, int]
    """By number of players, what two cores play in about two minutes."""
    ask: Callable[[Piece], Columns]
    answer: Callable[[Mapping[int, Columns], Plan], Study]
    company: tuple[int, int] = (2, 4)
    """The least and the most players that it may be asked about."""
    at_once: int = 25
    """Deals of a piece."""
    any_bot: bool = False
    """Whether bots may play that are not part of the kernel."""


def question_named(name: str) -> Question:
    if name not in NAMES:
        raise Refusal(Reason.NO_SUCH_STUDY, name=name, names=", ".join(NAMES))
    return import_module(f"royalcrypt.lab.studies.{name}").QUESTION


def pieces_of(name: str, plan: Plan) -> list[Piece]:
    """The same however many work on them."""
    at_once = question_named(name).at_once
    return [
        Piece(name, players, range(first, min(first + at_once, deals)), plan.seed, plan.bot)
        for players, deals in plan.deals.items()
        for first in range(0, deals, at_once)
    ]


def play_piece(piece: Piece) -> Columns:
    return question_named(piece.question).ask(piece)


def study(name: str, plan: Plan, crew: Crew, tell: Callable[[int], None] = lambda _: None) -> Study:
    """Play what the question needs and answer it; ``tell`` hears how many deals were done."""
    found: dict[int, list[Columns]] = {players: [] for players in plan.deals}
    pieces = pieces_of(name, plan)
    for piece, columns in zip(pieces, crew.do(play_piece, pieces), strict=True):
        found[piece.players].append(columns)
        tell(len(piece.deals))
    return question_named(name).answer({players: joined(one) for players, one in found.items()}, plan)


def joined(several: list[Columns]) -> Columns:
    return {name: np.concatenate([one[name] for one in several]) for name in several[0]}


def scripts_for(piece: Piece, repeats: int = 1) -> Array:
    """One for each deal, as ``simulate`` deals it with random sides; or several in a row."""
    scripts = np.zeros(len(piece.deals), SCRIPT)
    for script, number in zip(scripts, piece.deals, strict=True):
        script["number"] = number
        script["players"] = piece.players
        script["sides"] = sides_of(piece.seed, number)
    return np.repeat(scripts, repeats)


def sides_of(seed: int, number: int) -> list[int]:
    """Those that ``simulate`` gives the game of this number."""
    sides = [0] * TYPES
    choose_sides(sides, *game_key(seed, number))
    return sides


def strength_of(bot: str) -> str:
    """The bot's ratings, in words."""
    ratings = load_ratings(FILE)
    told = [
        f"{rivalry.ratings[bot].rating} with {players} players"
        for players, rivalry in (("two", ratings.two), ("four", ratings.four))
        if bot in rivalry.ratings
    ]
    best = [
        f"{top} {rivalry.ratings[top].rating}"
        for rivalry in (ratings.two,)
        if rivalry.ratings
        and (top := max(rivalry.ratings, key=lambda one: rivalry.ratings[one].rating)) != bot
    ]
    if not told:
        return f"the bot {bot}, which has no rating"
    above = f"; the strongest, {best[0]}, was too slow for so many games" if best else ""
    return f"the bot {bot}, rated {' and '.join(told)} where random players have 1000{above}"
