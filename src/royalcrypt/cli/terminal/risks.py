"""What a claim risks, in words and numbers: exhaustion, dice kept, and who can still push you out."""

from collections.abc import Sequence
from fractions import Fraction

from royalcrypt.cli.terminal.people import People
from royalcrypt.locales import say
from royalcrypt.notation.moves import Placement
from royalcrypt.play.views import ClaimForm
from royalcrypt.rules.layout import FACES


def percent(chance: Fraction) -> str:
    return say("terminal.risk.percent", number=round(100 * chance))


def one_place(number: Fraction) -> str:
    return f"{float(number):.1f}".removesuffix(".0")


def kept(form: ClaimForm, staged: Sequence[Placement]) -> Fraction:
    """Dice that stay ready, on average, if nobody pushes them out."""
    return sum((place.dice * (1 - form.risk(place.effort)) for place in staged), Fraction(0))


def all_kept(form: ClaimForm, staged: Sequence[Placement]) -> Fraction:
    chance = Fraction(1)
    for place in staged:
        chance *= (1 - form.risk(place.effort)) ** place.dice
    return chance


def claim_words(form: ClaimForm, staged: Sequence[Placement]) -> str:
    """You keep 1.3 of 2 dice."""
    placed = sum(place.dice for place in staged)
    return say(
        "terminal.risk.keep",
        count=placed,
        kept=one_place(kept(form, staged)),
        chance=percent(all_kept(form, staged)),
    )


def rival_words(form: ClaimForm, staged: Sequence[Placement], people: People) -> list[str]:
    """Who can still push these dice out, and with how much."""
    found: list[str] = []
    for rival, ready in form.rivals:
        if people.is_ghost(rival):
            continue
        beaten = [place for place in staged if place.total < FACES * ready]
        if beaten:
            needs = ", ".join(
                say("terminal.risk.need", card=place.slot + 1, total=place.total + 1) for place in beaten
            )
            found.append(say("terminal.risk.rival", name=people.name(rival), count=ready, needs=needs))
    return found
