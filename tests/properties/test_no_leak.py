"""No leak (R11.6): games that differ only in what a viewer cannot know look the same to that viewer, byte for byte."""

import json
import random
from typing import Any

import pytest

from royalcrypt import Game, Move, Refusal
from royalcrypt.notation.events import event_dict
from royalcrypt.play.chance import Address, RecordedChance, SeededChance, address_of
from royalcrypt.rules.layout import SPECTATOR, State, dump
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.views import knows
from tests.properties.games import Line, random_move

TRIES = ("peek", "mend", "take 1", "reroll 1", "decline", "1:3x6", "recover")


class Listening:
    """A source of chance that remembers what it brought."""

    def __init__(self, seed: int) -> None:
        self.source = SeededChance(seed)
        self.brought: dict[Address, int] = {}

    def outcome(self, state: State) -> int:
        outcome = self.source.outcome(state)
        self.brought[address_of(state)] = outcome
        return outcome

    def extra(self, *, is_over: bool) -> dict[str, Any]:
        return {}


def begin(line: Line, chance: Any) -> Game:
    return Game.new(players=line.players, collectors=line.collectors, leader=line.leader, chance=chance)


def seen_by(game: Game, viewer: int | None, since: int) -> list[str]:
    """All that could reach a viewer now: view, events, record, refusals."""
    view = game.view(viewer)
    events = [event_dict(event, n) for n, event in enumerate(game.events_for(viewer, game.events[since:]))]
    seen = [
        json.dumps(view.to_dict()),
        repr(view),
        json.dumps(dump(view.known)),
        json.dumps(events),
        json.dumps([getattr(card, "index", None) for event in game.events[since:] for card in flips_of(event)]),
        game.record_for(viewer).to_json(),
    ]
    for text in TRIES if viewer is not None else ():
        try:
            game.clone().play(text, seat=viewer)
            seen.append("allowed")
        except Refusal as refusal:
            seen.append(str(refusal))
    return seen


def flips_of(event: Any) -> tuple[Any, ...]:
    return getattr(event, "flip", ())


def otherwise(state: State, viewer: int, brought: dict[Address, int], rng: random.Random) -> dict[Address, int]:
    """The same chance but for the cards the viewer does not know, dealt anew among themselves and the deck."""
    length = row_length(state)
    hidden = [card for card in range(state.drawn) if not knows(state, viewer, card)]
    pool = [kind for kind in range(24) for _ in range(state.unseen[kind])]
    pool += [state.card_type[card] * 4 + state.card_value[card] - 1 for card in hidden]
    rng.shuffle(pool)
    found = dict(brought)
    for card in hidden:
        kind = next(kind for kind in pool if kind // 4 == state.card_type[card])
        pool.remove(kind)
        position = card % length if not state.is_solo else length - 1
        found["card", card // length + 1, 0, position] = kind
    return found


def flipped(game: Game) -> list[int]:
    state = game.state
    return [state.card_flipped[card] for card in range(state.drawn)]


def follow(line: Line, moves: list[tuple[int, Move]], chance: Any, viewer: int | None) -> list[list[str]] | None:
    """What the viewer saw at every step."""
    game = begin(line, chance)
    seen = [seen_by(game, viewer, 0)]
    for seat, move in moves:
        since = len(game.events)
        game.play(move, seat=seat)
        seen.append(seen_by(game, viewer, since))
    return seen


def check_line(line: Line) -> int:
    """Compare a game with another that differs in hidden cards; return how many cards differed."""
    rng = random.Random(line.seed)
    chance = Listening(line.seed)
    game = begin(line, chance)
    for _ in range(line.moves):
        if game.is_over:
            game.undo()
            break
        seat, move = random_move(game, rng)
        game.play(move, seat=seat)
    if game.is_over:
        game.undo()
    brought = dict(chance.brought)
    differed = 0
    for viewer in (None, *range(line.players)):
        state = game.state
        other = otherwise(state, SPECTATOR if viewer is None else viewer, brought, rng)
        twin = begin(line, RecordedChance(other, Listening(line.seed)))
        for seat, move in game.moves:
            twin.play(move, seat=seat)
        if flipped(twin) != flipped(game):
            continue  # of two equal cards another one was flipped, which everybody saw
        differed += sum(other[address] != brought[address] for address in brought)
        mine = follow(line, game.moves, RecordedChance(brought, Listening(line.seed)), viewer)
        theirs = follow(line, game.moves, RecordedChance(other, Listening(line.seed)), viewer)
        assert mine == theirs
    return differed


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("chunk", range(5))
def test_what_a_viewer_cannot_know_changes_nothing_they_see(players: int, chunk: int) -> None:
    rng = random.Random(f"{players} {chunk}")
    differed = 0
    for _ in range(4):
        line = Line(
            players=players,
            collectors="".join(rng.choice("AB" if chunk else "B") for _ in range(6)),
            leader=rng.randrange(players),
            seed=rng.randrange(2**32),
            moves=rng.randrange(5, 45),
        )
        differed += check_line(line)
    assert differed > 0, "these games hid nothing, so they prove nothing"
