"""Prints advice as tables."""

from rich.console import Console
from rich.table import Table

from royalcrypt.bots.advice import Advice
from royalcrypt.bots.wording import fact_in_words, figure, move_in_words, percent, seat_in_words
from royalcrypt.locales import say
from royalcrypt.play.results import RANKS
from royalcrypt.play.views import View
from royalcrypt.search.endgame import Prospect


def print_advice(view: View, prospect: Prospect, advised: list[Advice], language: str) -> None:
    console = Console(highlight=False)
    console.print(_title(view, language), markup=False)
    if view.seat != view.actor and view.seat is not None:
        console.print(say("advice.viewer", language, who=seat_in_words(view.seat, language)), markup=False)
    console.print(standing(prospect, language))
    if advised:
        console.print(moves(view, advised, language))
    shown = {prospect.is_exact, *(advice.prospect.is_exact for advice in advised)}
    for is_exact, key in ((True, "exact"), (False, "estimated")):
        if is_exact in shown:
            console.print(say(f"advice.{key}", language), markup=False)


def _title(view: View, language: str) -> str:
    if view.actor is None:
        return say("advice.title_over", language)
    who = seat_in_words(view.actor, language)
    return say("advice.title", language, round=view.round, rounds=view.rounds, who=who)


def marked(prospect: Prospect, text: str) -> str:
    return text if prospect.is_exact else f"≈ {text}"


def columns(language: str, *names: str) -> Table:
    table = Table()
    for name in names:
        is_figure = name in ("win", "score", "behind")
        table.add_column(say(f"advice.column.{name}", language), justify="right" if is_figure else "left")
    return table


def standing(prospect: Prospect, language: str) -> Table:
    """Each player's chance to win and expected score; alone, the score and the chances of each title."""
    if not prospect.wins:
        table = columns(language, "score")
        for place in range(len(prospect.titles)):
            table.add_column(say(f"term.rank.{len(RANKS) - 1 - place}", language), justify="right")
        titles = [marked(prospect, percent(chance)) for chance in prospect.titles]
        table.add_row(marked(prospect, figure(prospect.scores[0], language)), *titles)
        return table
    table = columns(language, "player", "win", "score")
    for seat, (win, score) in enumerate(zip(prospect.wins, prospect.scores, strict=True)):
        chances = marked(prospect, percent(win)), marked(prospect, figure(score, language))
        table.add_row(seat_in_words(seat, language), *chances)
    return table


def moves(view: View, advised: list[Advice], language: str) -> Table:
    is_alone = view.is_solo
    table = columns(language, "move", *(() if is_alone else ("win",)), "score", "behind", "why")
    seat = view.seat or 0
    for advice in advised:
        spelled, words = str(advice.move), move_in_words(view, advice.move, language)
        figures = [] if is_alone else [marked(advice.prospect, percent(advice.prospect.wins[seat]))]
        figures.append(marked(advice.prospect, figure(advice.prospect.scores[seat], language)))
        figures.append(figure(advice.behind, language) if is_alone else percent(advice.behind))
        why = "\n".join(f"· {fact_in_words(fact, language)}" for fact in advice.facts)
        table.add_row(f"{spelled}\n{words}", *figures, why)
    return table
