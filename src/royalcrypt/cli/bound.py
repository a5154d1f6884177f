"""``royalcrypt bound``: computes the best possible solo scores if the deck and the dice are known."""

import argparse
from collections import Counter
from statistics import mean

from royalcrypt.cli import options
from royalcrypt.cli.output import progress, write, write_json
from royalcrypt.locales import say
from royalcrypt.play.results import title_of

MAX_BREADTH = 10_000


def describe(parser: argparse.ArgumentParser) -> None:
    options.add(parser, "bound", games="N")
    options.add(parser, "simulate", seed="S", collectors="SIDES")
    options.add(parser, "bound", breadth="N")
    options.add(parser, "crew", jobs="N")
    options.add(parser, "simulate", json="")
    parser.set_defaults(seed="0", collectors="AAAAAA")


def run(arguments: argparse.Namespace) -> int:
    games = options.read_number(arguments, "games", 100, most=options.MAX_GAMES)
    breadth = options.read_number(arguments, "breadth", 64, most=MAX_BREADTH)
    jobs = options.read_number(arguments, "jobs", 1, most=options.MAX_JOBS)
    seed, sides = options.read_seed(arguments.seed), options.read_sides(arguments.collectors)
    options.require_compiler()
    from royalcrypt.lab.bounds import best_scores

    scores: list[int] = []
    with progress(say("bound.looking"), games) as advance:
        for score in best_scores(games, seed, sides, breadth, jobs):
            scores.append(score)
            advance(1)
    titles = Counter(title_of(score) for score in scores)
    if arguments.json:
        figures = {"games": games, "mean": mean(scores), "least": min(scores), "most": max(scores)}
        write_json(figures | {"titles": titles})
        return 0
    least, most = min(scores), max(scores)
    write(say("bound.found", count=games, mean=f"{mean(scores):.1f}", least=least, most=most))
    for title, count in titles.most_common():
        share = f"{count / games:.1%}"
        write(say("bound.title", title=say(f"simulate.rank.{title}"), share=share))
    return 0
