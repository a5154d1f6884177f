"""``royalcrypt connect``: plays on a server with a bot that is given by name or import path."""

import argparse
import asyncio
import os

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli import options
from royalcrypt.cli.bot_client import BotClient, RequestRejected, ServerClient
from royalcrypt.cli.output import write_if_open
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

TOKEN = "ROYALCRYPT_TOKEN"  # noqa: S105 (the variable's name)
MAX_SECONDS = 10.0
REJECTED = 1


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("server", metavar="SERVER", help=say("connect.server"))
    parser.add_argument("--token", help=say("connect.token", variable=TOKEN))
    options.add(parser, "connect", bot="NAME", simulations="N", games="N")
    parser.set_defaults(bot="greedy")


def run(arguments: argparse.Namespace) -> int:
    token = arguments.token or os.environ.get(TOKEN, "")
    if not token:
        raise Refusal(Reason.NO_TOKEN, variable=TOKEN)
    server = ServerClient.at(arguments.server, token)
    options.read_bots(arguments.bot)
    bot = bot_named(arguments.bot)
    simulations = options.read_number(arguments, "simulations", 1000, most=options.MAX_SIMULATIONS)
    games = options.read_number(arguments, "games", None, most=options.MAX_GAMES)
    # Loads and compiles the bot before a game begins.
    bot.choose(Game.new(players=2, seed=0).view(0), Budget(simulations=1))
    try:
        me = server.ask("GET", "/me")
        if "#/table/" in arguments.server:
            server.take_seat(arguments.server)
    except RequestRejected as refused:
        raise Refusal(Reason.SERVER_REFUSED, why=str(refused)) from None
    write_if_open(say("connect.open", bot=arguments.bot, name=me["name"], url=server.url))
    budget = Budget(simulations=simulations, seconds=MAX_SECONDS)
    client = BotClient(
        server, bot, budget, lambda key, details: write_if_open(say(key, **details)), games=games
    )
    return 0 if asyncio.run(client.play()) else REJECTED
