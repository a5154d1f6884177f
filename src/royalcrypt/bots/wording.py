"""Moves and facts as text in a language."""

from collections.abc import Sequence
from typing import Any

from royalcrypt.bots.facts import Fact
from royalcrypt.locales import catalogue, plural_form, say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN
from royalcrypt.notation.moves import Move, Verb
from royalcrypt.play.views import View

WITH_COMMA = ("pl", "fr", "el")


def fact_in_words(fact: Fact, language: str = "en") -> str:
    words = {name: _detail(name, value, language) for name, value in fact.details.items()}
    return say(_key(fact), language, **words)


def move_in_words(view: View, move: Move, language: str = "en") -> str:
    return move_on_row(["" if slot.card is None else slot.card.type for slot in view.row], move, language)


def move_on_row(row: Sequence[str], move: Move, language: str = "en") -> str:
    """The text of a move on a row of cards, each given by its letter; an empty string is a missing card."""
    action = move.actions[0]
    if action.verb is not Verb.CLAIM:
        return say(f"term.verb.{action.verb}", language)
    placements: list[str] = []
    for place in action.place:
        card = row[place.slot]
        on = say(f"term.{TYPE_NAMES[LETTERS.index(card[0])]}.on", language) if card else ""
        placements.append(say("log.placement", language, dice=place.dice, effort=place.effort, on=on))
    return ", ".join(placements)


def percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def figure(number: float, language: str = "en") -> str:
    """A number with one decimal, or with none if it is whole."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace(".", ",") if language in WITH_COMMA else text


def seat_in_words(seat: int, language: str = "en") -> str:
    return say("advice.seat", language, number=seat + 1)


def _key(fact: Fact) -> str:
    """The catalogue key of a fact; a gain has four variants, depending on its bonuses."""
    if fact.key != "gain":
        return f"advice.fact.{fact.key}"
    added = [name for name in ("paid", "hoped") if fact.details[name]]
    return "_".join(["advice.fact.gain", *added])


def _detail(name: str, value: Any, language: str) -> str:
    match name:
        case "cards":
            return ", ".join(_card(text, language) for text in value)
        case "who":
            return ", ".join(seat_in_words(seat, language) for seat in value)
        case "coins" | "paid" | "hoped" | "worth":
            return _amount("term.coins", value, language)
        case "dice":
            return _amount("term.dice", value, language)
        case "chance":
            return percent(value)
        case _:
            return str(value)


def _card(text: str, language: str) -> str:
    name = say(f"term.{TYPE_NAMES[LETTERS.index(text[0])]}", language)
    key = "log.card.unknown" if text[1] == UNKNOWN else "log.card.open"
    return say(key, language, type=name, value=text[1])


def _amount(key: str, number: float, language: str) -> str:
    """An amount with its unit; the plural form follows the displayed, rounded number."""
    form = plural_form(language, float(f"{number:.1f}"))
    return str(catalogue(language)[key][form]).format(count=figure(number, language))
