"""``royalcrypt bound``: what could at best be made of deals alone, with the deck and the dice laid open."""

import argparse
import json
from collections import Counter
from statistics import mean

from royalcrypt.cli.crews import MOST_JOBS
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.simulate import MOST_GAMES, read_seed, read_sides
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

MOST_BREADTH = 10_000


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", metavar="N", default="100", help=say("bound.games"))
    parser.add_argument("--seed", metavar="S", default="0", help=say("simulate.seed"))
    parser.add_argument("--collectors", metavar="SIDES", default="AAAAAA", help=say("simulate.collectors"))
    parser.add_argument("--breadth", metavar="N", default="64", help=say("bound.breadth"))
    parser.add_argument("--jobs", metavar="N", default="1", help=say("crew.jobs"))
    parser.add_argument("--json", action="store_true", help=say("simulate.json"))


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.lab.carriers import can_compile

    games = whole("games", arguments.games, least=1, most=MOST_GAMES)
    breadth = whole("breadth", arguments.breadth, least=1, most=MOST_BREADTH)
    jobs = whole("jobs", arguments.jobs, least=1, most=MOST_JOBS)
    seed, sides = read_seed(arguments.seed), read_sides(arguments.collectors)
    if not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    from royalcrypt.lab.bounds import best_scores

    scores: list[int] = []
    with progress(say("bound.looking"), games) as advance:
        for score in best_scores(games, seed, sides, breadth, jobs):
            scores.append(score)
            advance(1)
    print_found(scores, as_json=arguments.json)
    return 0


def print_found(scores: list[int], *, as_json: bool) -> None:
    from royalcrypt.play.results import title_of

    titles = Counter(title_of(score) for score in scores)
    if as_json:
        told = {"games": len(scores), "mean": mean(scores), "least": min(scores), "most": max(scores)}
        print(json.dumps(told | {"titles": titles}))  # noqa: T201
        return
    least, most = min(scores), max(scores)
    mean_score = f"{mean(scores):.1f}"
    print(say("bound.found", count=len(scores), mean=mean_score, least=least, most=most))  # noqa: T201
    for title, count in titles.most_common():
        share = f"{count / len(scores):.1%}"
        print(say("bound.title", title=say(f"simulate.rank.{title}"), share=share))  # noqa: T201
