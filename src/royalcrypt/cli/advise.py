"""``royalcrypt advise``: evaluates a position, and prints the best moves with their reasons."""

import argparse
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.cli import BAD_INPUT
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.records import LONGEST, STANDARD_INPUT, as_text
from royalcrypt.cli.simulate import tell
from royalcrypt.locales import LANGUAGES, say
from royalcrypt.notation.positions import MARK
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game

if TYPE_CHECKING:
    from royalcrypt.bots.advice import Advice
    from royalcrypt.play.views import View
    from royalcrypt.search.endgame import Prospect

MOST_COUNT = 100


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", nargs="+", help=say("advise.position"))
    for name, shown in (("count", "N"), ("seat", "N"), ("at", "N"), ("language", "LANGUAGE")):
        parser.add_argument(f"--{name}", metavar=shown, help=say(f"advise.{name}"))
    parser.add_argument("--json", action="store_true", help=say("advise.json"))


def run(arguments: argparse.Namespace) -> int:
    """The answer uses only what the advised seat knows, even if the position says more."""
    from royalcrypt.lab.carriers import can_compile

    language = read_language(arguments.language)
    count = 3 if arguments.count is None else whole("count", arguments.count, least=1, most=MOST_COUNT)
    game = read_game(" ".join(arguments.position), arguments.at)
    view = game.view(read_seat(arguments.seat, game))
    if not can_compile():
        tell(f"royalcrypt: {say('advise.needs')}")
        return BAD_INPUT
    from royalcrypt.bots.advice import counsel, evaluate, must_compile

    if must_compile():
        tell(say("advise.compiling"))
    is_theirs = view.seat == view.actor
    prospect, advised = counsel(view, count) if is_theirs else (evaluate(view), [])
    if arguments.json:
        print(json.dumps(as_json(view, prospect, advised, language), ensure_ascii=False))  # noqa: T201
        return 0
    from royalcrypt.cli.counsel import print_advice

    print_advice(view, prospect, advised, language)
    return 0


def read_language(text: str | None) -> str:
    if text is not None and text not in LANGUAGES:
        raise Refusal(Reason.WRONG_CHOICE, option="language", found=text, values=", ".join(LANGUAGES))
    return text or "en"


def read_seat(text: str | None, game: Game) -> int | None:
    """The given seat, else the actor; once the game is over, the first seat."""
    if text is None:
        return game.actor if game.actor is not None else 0
    return whole("seat", text, least=1, most=game.players) - 1


def read_game(text: str, at: str | None) -> Game:
    """Read a position, or a file with a position, a record or a save."""
    found = text if text.split()[:1] == [MARK] else read_text(text)
    if not found.lstrip().startswith("{"):
        if at is not None:
            raise Refusal(Reason.OPTION_WITHOUT, option="at", needed="a record")
        return Game.from_position(found)
    try:
        game = Game.from_record(found)
    except RecursionError:
        raise Refusal(Reason.CANNOT_READ, file=text, why=say("check.too_deep")) from None
    if at is not None:
        moves = whole("at", at, least=0, most=len(game.moves))
        while len(game.moves) > moves:
            game.undo()
    return game


def read_text(path: str) -> str:
    try:
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
            found = file.read(LONGEST + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refusal(Reason.CANNOT_READ, file=path, why=why) from None
    given = as_text(path, 1, found)
    if given.problem:
        raise Refusal(Reason.CANNOT_READ, file=path, why=given.problem)
    return given.text


def as_json(view: "View", prospect: "Prospect", advised: list["Advice"], language: str) -> dict[str, Any]:
    """Seats count from 0, as in records."""
    from royalcrypt.bots.wording import fact_in_words

    moves = [
        {
            "move": str(advice.move),
            **_prospect(advice.prospect),
            "behind": advice.behind,
            "reasons": [
                {"reason": fact.key, **fact.details, "words": fact_in_words(fact, language)}
                for fact in advice.facts
            ],
        }
        for advice in advised
    ]
    return {"seat": view.seat, "actor": view.actor, **_prospect(prospect), "moves": moves}


def _prospect(prospect: "Prospect") -> dict[str, Any]:
    lists = {name: list(getattr(prospect, name)) for name in ("wins", "scores", "titles")}
    return lists | {"exact": prospect.is_exact}
