"""A server of one table whose messages get lost, spoilt or refused on purpose."""

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.cli.bot_client import BotClient, ServerClient, action_json
from royalcrypt.play.view_changes import changes_between
from tests.properties.games import random_move

Json = dict[str, Any]
TABLE = "table"
SEAT = 0
Spoil = Callable[[Json], list[Json]]
"""Replaces an update by the messages that are sent in its place."""
CUT: Json = {}
"""Cuts the connection, as a message."""


class FaultyServer:
    """The program has seat 0 against random moves; ``spoil`` gets every update."""

    def __init__(self, spoil: Spoil, *, players: int = 2, seed: int = 1) -> None:
        self.game = Game.new(players=players, collectors="BBBBAB", seed=seed)
        self.ply = 3
        self.received: list[Json] = []
        self.refusals: list[Json] = []
        """What the next moves are answered with, in place of being made."""
        self.refused: list[str] = []
        self.reported: list[str] = []
        self._spoil = spoil
        self._chance = random.Random(seed)

    def asked(self, kind: str) -> list[Json]:
        """The messages of a type that the program sent."""
        return [message for message in self.received if message["type"] == kind]

    def line(self) -> Json:
        status = "over" if self.game.is_over else "running"
        info: Json = {"table": TABLE, "status": status, "settings": {}, "seats": [{}] * self.game.players}
        return {"type": "games", "games": [{"info": info, "seats": [SEAT]}]}

    def events(self, since: int) -> list[Json]:
        return json.loads(self.game.news(since).for_viewer(SEAT))

    def shown(self, since: int) -> Json:
        view, info = self.game.view(SEAT).to_dict(), self.line()["games"][0]["info"]
        found: Json = {"type": "shown", "table": TABLE, "ply": self.ply, "info": info}
        return found | {"view": view, "events": self.events(since)}

    @staticmethod
    def refusal(code: str, *, seconds: int = 0, **more: Any) -> Json:
        reason = {"code": code, "details": {"seconds": seconds}, "text": code}
        return {"type": "refused", "reason": reason} | more

    def play(self, seat: int, move: Any) -> list[Json]:
        """Make a move; returns the update, spoilt."""
        before, since = self.game.view_parts(SEAT), len(self.game.events)
        self.game.play(move, seat=seat)
        self.ply += 1
        changes = json.loads(msgspec.json.encode(changes_between(before, self.game.view_parts(SEAT))))
        update = {"type": "update", "table": TABLE, "ply": self.ply, "events": self.events(since)}
        return self._spoil(update | {"changes": changes})

    def act(self, message: Json) -> list[Json]:
        if self.refusals:
            return [self.refusals.pop()]
        if message["ply"] != self.ply or self.game.actor != SEAT:
            self.refused.append("stale")
            return [self.refusal("stale", table=TABLE, ply=self.ply)]
        moves = {
            json.dumps([action_json(action) for action in move.actions]): move
            for move in self.game.view(SEAT).moves()
        }
        sent = self.play(SEAT, moves[json.dumps(message["actions"])])
        while self.game.actor not in (SEAT, None):
            seat, move = random_move(self.game, self._chance)
            if seat != SEAT:
                sent += self.play(seat, move)
        return sent + ([self.line()] if self.game.is_over else [])

    async def converse(self, socket: ServerConnection) -> None:
        async for text in socket:
            message = json.loads(text)
            self.received.append(message)
            answers: list[Json] = []
            match message["type"]:
                case "follow":
                    answers = [self.line()]
                case "watch":
                    answers = [self.shown(message["since"])]
                case "act":
                    answers = self.act(message)
                case _:
                    pass
            for answer in answers:
                if answer is CUT:
                    await socket.close()
                    return
                await socket.send(json.dumps(answer))

    async def host(self, name: str) -> None:
        """Let a bot play until the game is over, or it has left."""
        async with serve(self.converse, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            client = BotClient(
                ServerClient(f"http://127.0.0.1:{port}", "token"),
                bot_named(name),
                Budget(simulations=1),
                lambda key, _: self.reported.append(key),
                games=1,
            )
            async with asyncio.timeout(60):
                await client.play()
