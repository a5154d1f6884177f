"""No leak (R11.6): games that differ only in what a viewer cannot know look the same to them, to the byte."""

import json
import random
from typing import Any

import pytest

from royalcrypt import Game, Move, Refusal
from royalcrypt.notation.events import event_dict
from royalcrypt.play.chance import Address, RecordedChance, SeededChance
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import View
from royalcrypt.rules.cards import DISCARDED, IN_CRYPT
from royalcrypt.rules.layout import State, dump
from tests.properties.games import Line, played, random_move
from tests.properties.hidden import Listening, flipped, flips_of, known_to, otherwise

TRIES = ("peek", "mend", "take 1", "reroll 1", "decline", "1:3x6", "recover")


class Retelling(Listening):
    """Brings what it is told, and remembers it."""

    def __init__(self, outcomes: dict[Address, int], seed: int) -> None:
        super().__init__(RecordedChance(outcomes, SeededChance(seed)))


def begin(line: Line, chance: Any) -> Game:
    return Game.new(players=line.players, collectors=line.collectors, leader=line.leader, chance=chance)


def seen_by(game: Game, viewer: int | None, since: int) -> list[str]:
    """All that could reach a viewer now: view, events, record, refusals."""
    view = game.view(viewer)
    events = [event_dict(event, n) for n, event in enumerate(game.events_for(viewer, game.events[since:]))]
    news = game.news(since)
    told = {other: news.for_viewer(other).decode() for other in (*range(game.players), None)}
    seen = [
        told[viewer],
        view.to_json().decode(),
        repr(view),
        game.view(viewer, remembers=False).to_json().decode(),
        json.dumps(dump(view.known)),
        json.dumps(events),
        json.dumps(
            [getattr(card, "number", None) for event in game.events[since:] for card in flips_of(event)]
        ),
        game.record_for(viewer).to_json(),
    ]
    for text in TRIES if viewer is not None else ():
        try:
            game.clone().play(text, seat=viewer)
            seen.append("allowed")
        except Refusal as refusal:
            seen.append(str(refusal))
    return seen


def follow(
    line: Line, moves: list[tuple[int, Move]], chance: Any, viewer: int | None
) -> list[list[str]] | None:
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
    chance = Listening(SeededChance(line.seed))
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
        other = otherwise(state, known_to(viewer, game), brought, rng)
        twin = begin(line, Retelling(other, line.seed))
        for seat, move in game.moves:
            twin.play(move, seat=seat)
        if flipped(twin) != flipped(game):
            continue  # of two equal cards another one was flipped, which everybody saw
        differed += sum(other[address] != brought[address] for address in brought)
        mine = follow(line, game.moves, Retelling(brought, line.seed), viewer)
        theirs = follow(line, game.moves, Retelling(other, line.seed), viewer)
        assert mine == theirs
    return differed


@pytest.mark.parametrize(("players", "seeds"), [(1, (6, 8)), (2, (1, 3)), (3, (11, 12)), (4, (3, 5))])
def test_the_last_chance_to_use_remains_shows_nothing_early(players: int, seeds: tuple[int, ...]) -> None:
    """R9.2: these games end with it."""
    assert sum(check_line(Line(players, "BABBAB", 0, seed, 400)) for seed in seeds) > 0


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("chunk", range(6))
def test_what_a_viewer_cannot_know_changes_nothing_they_see(players: int, chunk: int) -> None:
    rng = random.Random(f"{players} {chunk}")
    differed = 0
    for _ in range(4):
        line = Line(
            players=players,
            collectors="".join(rng.choice("AB" if chunk else "B") for _ in range(6)),
            leader=rng.randrange(players),
            seed=rng.randrange(2**32),
            moves=rng.choice((10, 20, 30, 90)),
        )
        differed += check_line(line)
    assert differed > 0, "these games hid nothing, so they prove nothing"


def cards_of(view: View) -> list[CardView]:
    found = [slot.card for slot in view.row if slot.card is not None] + list(view.discards)
    return [*found, *(card for seat in view.seats for card in seat.cards)]


def is_left_to_remember(state: State, viewer: int | None, card: int) -> bool:
    """Face-down in somebody else's collection, or discarded."""
    place = state.card_place[card]
    return place == DISCARDED or (place not in (IN_CRYPT, viewer) and not state.card_flipped[card])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_those_who_like_to_remember_are_not_reminded(players: int) -> None:
    """Section 12: no remembered values, no beliefs, no running scores but one's own."""
    forgotten = 0
    for game in played(Line(players, "BABBAB", 0, 5, 400)):
        for viewer in (None, *range(players)):
            told, all_known = game.view(viewer, remembers=False), game.view(viewer)
            if game.is_over:
                assert told == all_known
                continue
            state = game.state
            assert (told.actions, told.form, told.unseen) == (all_known.actions, all_known.form, {})
            assert told.scores == tuple(
                score if seat == viewer else None for seat, score in enumerate(told.scores)
            )
            for card, reminded in zip(cards_of(told), cards_of(all_known), strict=True):
                must_remember = is_left_to_remember(state, viewer, card.number)
                assert card.odds is None
                assert card.value == (None if must_remember else reminded.value)
                assert told.known.card_value[card.number] == (card.value or 0)
                forgotten += must_remember and reminded.value is not None
    assert forgotten > 0
