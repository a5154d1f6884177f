"""``royalcrypt connect``: plays on a server with a bot, given by name or import path."""

import argparse
import os

from royalcrypt.cli.numbers import whole
from royalcrypt.cli.serve import tell
from royalcrypt.cli.simulate import MOST_GAMES, MOST_SIMULATIONS
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

TOKEN = "ROYALCRYPT_TOKEN"  # noqa: S105 (the variable's name)
MOST_SECONDS = 10.0
REJECTED = 1


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="SERVER", help=say("connect.server"))
    parser.add_argument("--token", help=say("connect.token", variable=TOKEN))
    parser.add_argument("--bot", metavar="NAME", default="greedy", help=say("connect.bot"))
    parser.add_argument("--simulations", metavar="N", default="1000", help=say("connect.simulations"))
    parser.add_argument("--games", metavar="N", help=say("connect.games"))


def run(arguments: argparse.Namespace) -> int:
    import asyncio

    from royalcrypt import Game
    from royalcrypt.bots import Budget, bot_named
    from royalcrypt.cli.naming import read_bots
    from royalcrypt.cli.online.playing import OnlinePlayer, take_seat
    from royalcrypt.cli.online.requests import RequestRejected, server_at

    token = arguments.token or os.environ.get(TOKEN, "")
    if not token:
        raise Refusal(Reason.NO_TOKEN, variable=TOKEN)
    server = server_at(arguments.server, token)
    read_bots(arguments.bot)
    bot = bot_named(arguments.bot)
    simulations = whole("simulations", arguments.simulations, least=1, most=MOST_SIMULATIONS)
    games = None if arguments.games is None else whole("games", arguments.games, least=1, most=MOST_GAMES)
    bot.choose(
        Game.new(players=2, seed=0).view(0), Budget(simulations=1)
    )  # Loads and compiles it before a game begins.
    try:
        me = server.ask("GET", "/me")
        if "#/table/" in arguments.server:
            take_seat(server, arguments.server)
    except RequestRejected as refused:
        raise Refusal(Reason.SERVER_REFUSED, why=str(refused)) from None
    tell(say("connect.open", bot=arguments.bot, name=me["name"], url=server.url))
    budget = Budget(simulations=simulations, seconds=MOST_SECONDS)
    player = OnlinePlayer(server, bot, budget, lambda key, details: tell(say(key, **details)), games=games)
    return 0 if asyncio.run(player.play()) else REJECTED
