"""``royalcrypt advise``: evaluates a position, and prints the best moves with their reasons."""

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.bots.wording import fact_in_words, figure, move_in_words, percent, seat_in_words
from royalcrypt.cli import options, refuse
from royalcrypt.cli.output import columns, report, show, write_json
from royalcrypt.cli.records import MAX_BYTES, STANDARD_INPUT, as_text
from royalcrypt.locales import say
from royalcrypt.notation.positions import MARK
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game
from royalcrypt.play.results import RANKS

if TYPE_CHECKING:
    from rich.table import Table

    from royalcrypt.bots.advice import Advice
    from royalcrypt.play.views import View
    from royalcrypt.search.endgame import Prospect

MAX_COUNT = 100
TEXT_COLUMNS = ("player", "move", "why")


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", nargs="+", help=say("advise.position"))
    options.add(parser, "advise", count="N", seat="N", at="N", language="LANGUAGE", json="")


def run(arguments: argparse.Namespace) -> int:
    """Print advice for one seat, using only its knowledge even if the position contains more."""
    from royalcrypt.lab import backends

    language = options.read_language(arguments.language)
    count = options.read_number(arguments, "count", 3, most=MAX_COUNT)
    game = read_game(" ".join(arguments.position), arguments.at)
    # After the game is over, the first seat is advised.
    seat = options.read_number(arguments, "seat", (game.actor or 0) + 1, most=game.players) - 1
    view = game.view(seat)
    if not backends.can_compile():
        return refuse(say("advise.needs"))
    from royalcrypt.bots.advice import evaluate, evaluate_and_advise, must_compile

    if must_compile():
        report(say("advise.compiling"))
    prospect, advised = evaluate_and_advise(view, count) if view.seat == view.actor else (evaluate(view), [])
    if arguments.json:
        write_json(as_json(view, prospect, advised, language), ensure_ascii=False)
    else:
        show_advice(view, prospect, advised, language)
    return 0


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
        moves = options.whole("at", at, least=0, most=len(game.moves))
        while len(game.moves) > moves:
            game.undo()
    return game


def read_text(path: str) -> str:
    try:
        with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
            found = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refusal(Reason.CANNOT_READ, file=path, why=why) from None
    given = as_text(path, 1, found)
    if given.problem:
        raise Refusal(Reason.CANNOT_READ, file=path, why=given.problem)
    return given.text


def as_json(view: "View", prospect: "Prospect", advised: list["Advice"], language: str) -> dict[str, Any]:
    """Return the advice as JSON-compatible data; seats count from 0, as in records."""
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


def show_advice(view: "View", prospect: "Prospect", advised: list["Advice"], language: str) -> None:
    if view.actor is None:
        show(say("advice.title_over", language))
    else:
        who = seat_in_words(view.actor, language)
        show(say("advice.title", language, round=view.round, rounds=view.rounds, who=who))
    if view.seat != view.actor and view.seat is not None:
        show(say("advice.viewer", language, who=seat_in_words(view.seat, language)))
    show(prospect_table(prospect, language))
    if advised:
        show(move_table(view, advised, language))
    shown = {prospect.is_exact, *(advice.prospect.is_exact for advice in advised)}
    for is_exact, key in ((True, "exact"), (False, "estimated")):
        if is_exact in shown:
            show(say(f"advice.{key}", language))


def marked(prospect: "Prospect", text: str) -> str:
    return text if prospect.is_exact else f"≈ {text}"


def prospect_table(prospect: "Prospect", language: str) -> "Table":
    """Build a table of win chances and expected scores; solo, of the score and the chances of titles."""
    if not prospect.wins:
        table = columns("advice.column", "score", left=(), language=language)
        for place in range(len(prospect.titles)):
            table.add_column(say(f"term.rank.{len(RANKS) - 1 - place}", language), justify="right")
        titles = [marked(prospect, percent(chance)) for chance in prospect.titles]
        table.add_row(marked(prospect, figure(prospect.scores[0], language)), *titles)
        return table
    table = columns("advice.column", "player", "win", "score", left=TEXT_COLUMNS, language=language)
    for seat, (win, score) in enumerate(zip(prospect.wins, prospect.scores, strict=True)):
        chances = marked(prospect, percent(win)), marked(prospect, figure(score, language))
        table.add_row(seat_in_words(seat, language), *chances)
    return table


def move_table(view: "View", advised: list["Advice"], language: str) -> "Table":
    is_alone = view.is_solo
    names = ("move", *(() if is_alone else ("win",)), "score", "behind", "why")
    table = columns("advice.column", *names, left=TEXT_COLUMNS, language=language)
    seat = view.seat or 0
    for advice in advised:
        prospect = advice.prospect
        figures = [] if is_alone else [marked(prospect, percent(prospect.wins[seat]))]
        figures.append(marked(prospect, figure(prospect.scores[seat], language)))
        figures.append(figure(advice.behind, language) if is_alone else percent(advice.behind))
        why = "\n".join(f"· {fact_in_words(fact, language)}" for fact in advice.facts)
        words = move_in_words(view, advice.move, language)
        table.add_row(f"{advice.move}\n{words}", *figures, why)
    return table
