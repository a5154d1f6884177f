"""Scripts: a scene's line of moves, and around it everything else that people and the host do at a table."""

import random
from collections.abc import Iterator
from functools import cache

from royalcrypt import Game
from royalcrypt.tables.table import is_any_time
from tests.server.wire import steps, tries
from tests.server.wire.scenes import Played, Scene, Turn, play
from tests.server.wire.stage import HOST, LOG, NOBODY, bot_at
from tests.server.wire.steps import PATH, Step
from tests.server.wire.worlds import (
    PRIVATE_TABLE,
    TABLE,
    Knowledge,
    begun,
    cards_known,
    cards_shown_since,
    other_world,
    true_world,
)

SAID = ("Good luck!", "Whose turn is it?", "I saw that.")
BREATH, LONG_AGO = 3_000, 10**9


class Script:
    """The steps, what each channel may know, and for each such knowledge another world."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.played = play(scene)
        self._rng = random.Random(f"script {scene.seed}")
        self._joins = len(self.played.turns) // 2
        self.channels = channels(scene, self.played, round_at(scene, self.played, self._joins))
        self.true = true_world(scene)
        self.others = {known: other_world(scene, self.played, known) for known in set(self.channels.values())}
        self.opening = list(self._opening())
        self.middle = list(self._middle())
        self.closing = list(self._closing())

    @property
    def steps(self) -> list[Step]:
        return [*self.opening, *self.middle, *self.closing]

    def _opening(self) -> Iterator[Step]:
        scene = self.scene
        owner, *guests = scene.people
        body = {"settings": scene.settings, "sit": scene.seats_of(owner), "entropy": owner}
        yield steps.asked(owner, "POST", "/api/tables", body)
        yield steps.private_table_opened
        for channel, name in self._sockets():
            yield steps.connect(channel, name)
        yield steps.told("Finn", type="follow", lobby=True)
        yield steps.told("Finn", type="watch", table=PRIVATE_TABLE)
        yield steps.told(f"{owner} again", type="follow", lobby=True, games=True)
        yield steps.watched("Eve", has_link=self._has_link)
        yield steps.watched(owner)
        for name in guests:
            for seat in scene.seats_of(name):
                yield steps.seated(owner, name, seat)
        yield from tries.before_the_start(owner, guests)
        yield steps.flushed
        yield steps.asked(owner, "POST", f"{PATH}/start")
        for name in scene.people:
            yield steps.watched(name, seat=scene.seats_of(name)[0])
        yield steps.watched(f"{owner} again")
        yield steps.flushed

    def _sockets(self) -> list[tuple[str, str]]:
        people = [(name, name) for name in self.scene.people]
        return [
            *people,
            (f"{self.scene.people[0]} again", self.scene.people[0]),
            ("Eve", "Eve"),
            ("Finn", "Finn"),
        ]

    @property
    def _has_link(self) -> bool:
        """Spectators of a private table have its link."""
        return not self.scene.is_listed

    def _looked(self, name: str, path: str) -> Step:
        ask = steps.asked_with_link if self._has_link and name != "Finn" else steps.asked
        return ask(name, "GET", path)

    def _middle(self) -> Iterator[Step]:
        scene, rng = self.scene, self._rng
        games = [begun(scene, world.outcomes) for world in (self.true, *self.others.values())]
        before: Turn | None = None
        away = frozenset[str]()
        was_out_of_turn = False
        for number, turn in enumerate(self.played.turns):
            actor = games[0].actor
            yield steps.passed(BREATH)
            yield from self._comings_and_goings(games[0], away, turn.away)
            if number == self._joins:
                yield from self._joining()
            if rng.random() < 0.5:
                yield from self._extras(games, None if turn.away != away else before)
            if turn.is_bots(scene):
                yield steps.moved_by_bot(turn.move)
            else:
                is_late = before is not None and was_out_of_turn and before.seat != turn.seat
                channel = scene.holders[turn.seat]
                yield steps.moved(channel, turn.seat, turn.move, behind=int(is_late))
            for game in games:
                game.play(turn.move, seat=turn.seat)
            was_out_of_turn = turn.seat != actor and is_any_time(str(turn.move))
            before, away = turn, turn.away

    def _comings_and_goings(
        self, game: Game, away: frozenset[str], next_away: frozenset[str]
    ) -> Iterator[Step]:
        for name in sorted(away - next_away):
            yield steps.asked(name, "POST", f"{PATH}/return")
        for name in sorted(next_away - away):
            if self.scene.clock and self.scene.seats_of(name) == (game.actor,):
                yield steps.passed(LONG_AGO)
                yield steps.swept
            else:
                yield steps.asked(name, "POST", f"{PATH}/leave")
        if away != next_away:
            yield steps.flushed

    def _joining(self) -> Iterator[Step]:
        """Spectators talk, somebody new looks on, players come again and open another window."""
        first, last = self.scene.people[0], self.scene.people[-1]
        yield steps.whispered("Eve")
        yield steps.came_back(last, last, seat=self.scene.seats_of(last)[0])
        yield steps.connect("Nel", "Nel")
        yield steps.watched("Nel", has_link=self._has_link)
        yield self._looked("Nel", PATH)
        yield self._looked("Nel", f"{PATH}/record")
        yield steps.connect(f"{first} later", first)
        yield steps.watched(f"{first} later", seat=self.scene.seats_of(first)[0])
        yield steps.private_table_started
        yield steps.flushed

    def _extras(self, games: list[Game], before: Turn | None) -> Iterator[Step]:
        rng, scene = self._rng, self.scene
        name = rng.choice(scene.people)
        seat = scene.seats_of(name)[0]
        events = len(games[0].events)
        since = rng.choice((0, max(0, events - rng.randrange(12)), events, events + 5))
        yield from (
            [steps.told(name, type="say", table=TABLE, text=rng.choice(SAID))],
            tries.bursts(name, seat)
            if scene.rate_limits
            else [steps.told(name, type="react", table=TABLE, reaction="bravo")],
            [steps.whispered("Eve"), steps.told("Eve", type="react", table=TABLE, reaction="think")],
            [steps.passed(rng.randrange(9000)), steps.flushed],
            [steps.came_back(name, name, seat=seat, since=since), steps.flushed],
            [steps.came_back("Eve", "Eve", since=since, has_link=self._has_link), steps.flushed],
            [steps.watched(f"{scene.people[0]} again", seat=rng.choice(scene.seats_of(scene.people[0])))],
            [steps.told(name, type="unwatch", table=TABLE), steps.watched(name, seat=seat, since=since)],
            [
                steps.asked(name, "GET", path)
                for path in (PATH, f"{PATH}/record", "/api/me/games", "/api/tables")
            ],
            [self._looked("Eve", path) for path in (PATH, f"{PATH}/record")],
            [
                steps.asked("Finn", "GET", path)
                for path in (PATH, f"{PATH}/record", "/api/me/games", "/api/tables")
            ],
            steps.host_looks("/export", "/tables", "", "/people"),
            tries.moves(name, seat, games, before, rng),
            tries.moves(name, seat, games, before, rng),
            tries.messages(rng.choice((name, "Eve", "Finn")), scene, rng),
            tries.requests(rng.choice((name, "Eve", "Finn")), scene, rng),
        )[rng.randrange(16)]

    def _closing(self) -> Iterator[Step]:
        """Everybody looks at everything once more."""
        for name in (*self.scene.people, "Eve", "Finn"):
            for path in (PATH, f"{PATH}/record", "/api/me/games", "/api/me/records", "/api/tables"):
                yield self._looked(name, path)
        for name in self.scene.people:
            yield steps.watched(name, seat=self.scene.seats_of(name)[0])
        yield steps.watched("Eve", has_link=self._has_link)
        yield steps.asked(HOST, "PUT", "/api/host/notice", {"text": "Supper is ready."})
        yield from steps.host_looks("/export", "/tables")
        yield steps.flushed
        yield steps.muted("Eve")
        if len(self.scene.people) > 1:
            yield steps.sent_away(self.scene.people[-1])


@cache
def script_of(scene: Scene) -> Script:
    """The same for equal scenes."""
    return Script(scene)


def round_at(scene: Scene, played: Played, turns: int) -> int:
    game = begun(scene, played.brought)
    for turn in played.turns[:turns]:
        game.play(turn.move, seat=turn.seat)
    return game.round


def channels(scene: Scene, played: Played, round_joined: int) -> dict[str, Knowledge]:
    """What may be known on each: what its reader is told of cards, and of what else."""
    game = played.game
    found: dict[str, Knowledge] = {}
    for name in scene.people:
        seats = scene.seats_of(name)
        found[name] = Knowledge(cards_known(game, seats[:1]), invite=True)
        found[f"{name} by REST"] = Knowledge(cards_known(game, seats), invite=True)
    for seat in range(len(scene.holders)):
        found[bot_at(seat)] = Knowledge(cards_known(game, (seat,)), invite=True)
    first = scene.people[0]
    found[f"{first} again"] = found[f"{first} by REST"]
    public = cards_known(game, ())
    spectator = Knowledge(public, invite=not scene.is_listed, whispers=True)
    found |= {"Eve": spectator, "Eve by REST": spectator}
    found |= {"Finn": Knowledge(public), "Finn by REST": Knowledge(public)}
    found[f"{NOBODY} by REST"] = Knowledge(public)
    host = Knowledge(public, whispers=True, private_table=True)
    found |= {f"{HOST} by REST": host, LOG: host}
    found["Nel"], found[f"{first} later"] = spectator, found[first]
    if not scene.remembers and len(scene.holders) > 1:  # the Ghost acts by values (R10.3), so they show
        seats = scene.seats_of(first)[:1]
        found[f"{first} later"] = Knowledge(cards_shown_since(game, seats, round_joined), invite=True)
        found["Nel"] = Knowledge(
            cards_shown_since(game, (), round_joined), invite=spectator.invite, whispers=True
        )
    found["Nel by REST"] = found["Nel"]
    return found
