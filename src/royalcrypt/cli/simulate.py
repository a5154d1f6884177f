"""``royalcrypt simulate``: let bots play many games and count."""

import argparse
import json
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from math import inf
from pathlib import Path
from typing import IO, TYPE_CHECKING

from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from royalcrypt.lab.carriers import Carrier
    from royalcrypt.lab.summary import Summary
    from royalcrypt.lab.tables import Setting

MOST_GAMES = 10**9
MOST_SIMULATIONS = 10**7
MOST_MILLISECONDS = 600_000


def describe(parser: argparse.ArgumentParser) -> None:
    def option(name: str, **settings: object) -> None:
        parser.add_argument(f"--{name}", help=say(f"simulate.{name}"), **settings)  # pyright: ignore[reportArgumentType]

    option("players", metavar="N")
    option("solo", action="store_true")
    option("bots", metavar="NAMES", default="random")
    option("games", metavar="N", default="100")
    option("collectors", metavar="SIDES", default="AAAAAA")
    option("leader", metavar="SEAT", default="0")
    option("swap", action="store_true")
    option("seed", metavar="S", default="0")
    option("simulations", metavar="N", default="1000")
    option("milliseconds", metavar="N")
    option("records", metavar="FILE")
    option("json", action="store_true")
    option("carrier", metavar="CARRIER")
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.simulate import simulate
    from royalcrypt.lab.summary import Summary

    setting = read_setting(arguments)
    games = whole("games", arguments.games, least=1, most=MOST_GAMES)
    working = crew_from(arguments)
    carrier = prepare_carrier(arguments.carrier, setting, games, is_recorded=bool(arguments.records))
    summary = Summary(setting)
    try:
        with (
            opened(arguments.records) as records,
            progress(say("simulate.playing"), games) as advance,
            working as crew,
        ):
            is_recorded = records is not None
            for outcome in simulate(setting, games, carrier, is_recorded=is_recorded, crew=crew):
                summary.add(outcome)
                if records is not None and outcome.line is not None:
                    write_line(records, outcome.line)
                advance(1)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(arguments.records), why=str(error.strerror)) from None
    except KeyboardInterrupt:
        tell(say("simulate.stopped", count=summary.games))
        raise
    print_summary(summary, as_json=arguments.json)
    return 0


def read_setting(arguments: argparse.Namespace) -> "Setting":
    from royalcrypt.cli.naming import read_bots
    from royalcrypt.lab.tables import Setting

    players = whole(
        "players",
        ("1" if arguments.solo else "2") if arguments.players is None else arguments.players,
        least=1,
        most=4,
    )
    if arguments.solo and players != 1:
        raise Refusal(Reason.NOT_ALONE, players=players)
    names = read_bots(arguments.bots)
    if len(names) not in (1, players):
        raise Refusal(Reason.WRONG_BOTS, bots=len(names), players=players)
    return Setting(
        players=players,
        bots=names if len(names) == players else names * players,
        seed=read_seed(arguments.seed),
        collectors=read_sides(arguments.collectors),
        leader=read_leader(arguments.leader, players),
        is_swapped=arguments.swap,
        simulations=whole("simulations", arguments.simulations, least=1, most=MOST_SIMULATIONS),
        seconds=read_seconds(arguments.milliseconds),
    )


def read_seconds(text: str | None) -> float:
    """Of one move; as many as it takes unless told otherwise."""
    return inf if text is None else whole("milliseconds", text, least=1, most=MOST_MILLISECONDS) / 1000


def read_sides(text: str) -> str | None:
    """Six letters; None for other sides in each game."""
    from royalcrypt.notation.cards import is_sides

    if text == "random":
        return None
    if not is_sides(text.upper()):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=text)
    return text.upper()


def read_seed(text: str) -> int:
    from royalcrypt.play.chance import MOST_SEED

    if not re.fullmatch(r"[0-9]{1,40}", text, re.ASCII) or int(text) > MOST_SEED:
        raise Refusal(Reason.WRONG_SEED, seed=text)
    return int(text)


def read_leader(text: str, players: int) -> int | None:
    """The seat that leads the first round; None for each in turn. Alone, only the player can (R10.2)."""
    if text == "rotate":
        return None
    leader = whole("leader", text, least=0)
    if leader >= players:
        raise Refusal(Reason.WRONG_LEADER, leader=leader, players=players)
    return leader


def prepare_carrier(asked: str | None, setting: "Setting", games: int, *, is_recorded: bool) -> "Carrier":
    from royalcrypt.lab import carriers
    from royalcrypt.lab.simulate import best_carrier, is_step_by_step

    if asked is not None and asked not in carriers.CARRIERS:
        raise Refusal(Reason.NO_SUCH_CARRIER, name=asked, names=", ".join(carriers.CARRIERS))
    name = asked or best_carrier(setting, games, is_recorded=is_recorded)
    is_slow = is_step_by_step(setting, is_recorded=is_recorded)
    if name == carriers.COMPILED and carriers.can_compile() and carriers.must_compile(step_by_step=is_slow):
        tell(say("simulate.compiling"))
    return carriers.carrier_named(name)


@contextmanager
def opened(path: str | None) -> Generator[IO[bytes] | None]:
    """The file for the records, unbuffered: what is in it is complete by lines, whenever one stops."""
    with nullcontext() if path is None else Path(path).open("wb", buffering=0) as file:
        yield file


def write_line(file: IO[bytes], line: str) -> None:
    left = memoryview(line.encode() + b"\n")
    while left:
        left = left[file.write(left) :]


def tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)  # noqa: T201


def print_summary(summary: "Summary", *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary.to_dict()))  # noqa: T201
        return
    from royalcrypt.cli.figures import print_tables

    print_tables(summary)
