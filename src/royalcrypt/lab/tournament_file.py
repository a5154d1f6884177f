"""A tournament on disk: a line that says what is played, then one line a game, in order.

What is in it is complete by lines. A line that was cut off, when somebody pulled the plug, is written anew.
"""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec

from royalcrypt.lab.tournament import PLAYERS, Plan, Played, Tournament
from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.reasons import Reason, Refusal

FORMAT = 1


class Head(msgspec.Struct, forbid_unknown_fields=True):
    tournament: int
    plan: Plan


def read(path: Path) -> Tournament:
    """What the file holds, with the plan it was begun with."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=str(path), why=str(error.strerror)) from None
    try:
        plan = _plan(lines[0] if lines else b"")
        games = [_game(plan, number, line) for number, line in enumerate(lines[1:])]
    except ValueError as error:  # msgspec's are such, too.
        raise Refusal(Reason.NOT_A_TOURNAMENT, file=str(path), why=str(error)) from None
    return Tournament(plan, games)


def _plan(line: bytes) -> Plan:
    head = msgspec.json.decode(line, type=Head)
    if head.tournament != FORMAT:
        raise ValueError(f"version {head.tournament}, not {FORMAT}")
    plan = head.plan
    is_possible = (
        len(plan.bots) == len(set(plan.bots)) >= 2
        and plan.players in PLAYERS
        and (plan.collectors is None or is_sides(plan.collectors))
        and min(plan.deals, plan.simulations, plan.milliseconds or 1) > 0
    )
    if not is_possible:
        raise ValueError("plan")
    return plan


def _game(plan: Plan, number: int, line: bytes) -> Played:
    game = msgspec.json.decode(line, type=Played)
    is_whole = len(game.scores) == plan.players and set(game.winners) <= set(range(plan.players))
    if game.number != number or game.bots != plan.seating_of(number) or not is_whole or not game.winners:
        raise ValueError(f"game {number}")
    return game


def begin(tournament: Tournament, path: Path) -> None:
    """The head, and all that was played so far; what stood there, a cut-off line at most, is gone."""
    lines = [_line({"tournament": FORMAT, "plan": asdict(tournament.plan)})]
    draft = path.with_name(path.name + ".part")
    draft.write_bytes(b"".join(lines + [_line(asdict(game)) for game in tournament.games]))
    draft.replace(path)


def append(games: list[Played], path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"".join(_line(asdict(game)) for game in games))


def cut_to(tournament: Tournament, plan: Plan) -> Tournament:
    """The games of fewer deals than were played, or all of them."""
    return replace(tournament, plan=plan, games=tournament.games[: plan.games])


def _line(thing: Any) -> bytes:
    return msgspec.json.encode(thing) + b"\n"
