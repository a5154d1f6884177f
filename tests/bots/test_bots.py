"""What every bot owes the table: legal moves, from its view alone, and the same from the same view."""

import random
import sys
from collections.abc import Callable
from typing import Any, get_type_hints

import pytest

from royalcrypt import Game, Move, Reason, Refusal, View
from royalcrypt.bots import Bot, Budget, bot_named, bot_names, registry
from royalcrypt.play.chance import SeededChance
from royalcrypt.rules.layout import dump
from royalcrypt.search import compilation

OWN = tuple(registry.LADDER)
GAMES = {"random": 60, "novice": 25, "greedy": 25}
FEW_GAMES = 8
SIMULATIONS = 40
"""Enough to be legal, and soon over."""


def sides(rng: random.Random) -> str:
    return "".join(rng.choice("AB") for _ in range(6))


def play(bot: Bot, game: Game, seed: int = 0) -> Game:
    while game.actor is not None:
        game.play(bot.choose(game.view(game.actor), Budget(SIMULATIONS, seed=seed)))
    return game


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", OWN)
def test_a_bot_plays_many_games_without_an_illegal_move(name: str, players: int) -> None:
    rng = random.Random(f"{name} {players}")
    for number in range(GAMES.get(name, FEW_GAMES)):
        game = Game.new(players=players, collectors=sides(rng), chance=SeededChance(players, number))
        assert play(bot_named(name), game, seed=number).is_over


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", OWN)
def test_equal_views_get_equal_moves(name: str, players: int) -> None:
    bot = bot_named(name)
    rng = random.Random(players)
    game = Game.new(players=players, collectors=sides(rng), seed=players)
    while game.actor is not None:
        view, again = game.view(game.actor), game.clone().view(game.actor)
        before = dump(view.known)
        move = bot.choose(view, Budget(SIMULATIONS, seed=3))
        assert (
            move
            == bot.choose(again, Budget(SIMULATIONS, seed=3))
            == bot.choose(view, Budget(SIMULATIONS, seed=3))
        )
        assert dump(view.known) == before, "a bot thinks on a copy"
        game.play(move)


def hide_and_seek(game: Game, seat: int, rng: random.Random) -> Game | None:
    """The same game but for a hidden card that the seat does not know, if there is one."""
    state = game.state
    hidden = [
        (card, kind)
        for card in range(state.drawn)
        if not state.card_knowers[card] >> seat & 1
        for kind in range(4 * state.card_type[card], 4 * state.card_type[card] + 4)
        if state.unseen[kind] and kind % 4 + 1 != state.card_value[card]
    ]
    if not hidden:
        return None
    card, kind = rng.choice(hidden)
    state.unseen[4 * state.card_type[card] + state.card_value[card] - 1] += 1
    state.unseen[kind] -= 1
    state.card_value[card] = kind % 4 + 1
    other = game.clone()
    other._state = state
    return other


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", OWN)
def test_a_hidden_card_changes_no_move(name: str, players: int) -> None:
    bot, rng, differed = bot_named(name), random.Random(players), 0
    for number in range(6):
        game = Game.new(players=players, collectors=sides(rng), seed=number)
        while game.actor is not None:
            other = hide_and_seek(game, game.actor, rng)
            move = bot.choose(game.view(game.actor), Budget(SIMULATIONS, seed=number))
            if other is not None:
                differed += 1
                assert bot.choose(other.view(game.actor), Budget(SIMULATIONS, seed=number)) == move
            game.play(move)
    assert differed > 20


@pytest.mark.parametrize("name", OWN)
def test_a_bot_is_given_a_view_and_a_budget_and_nothing_else(name: str) -> None:
    hints = get_type_hints(type(bot_named(name)).choose)
    assert hints == {"view": View, "budget": Budget, "return": Move}
    assert get_type_hints(Bot.choose) == hints
    assert not vars(bot_named(name)), "a bot keeps nothing between moves"


@pytest.mark.parametrize("name", OWN)
def test_a_bot_decides_only_when_it_is_its_turn(name: str) -> None:
    game = Game.new(players=2, seed=1)
    for view, seat in ((game.view(1), 2), (game.view(), "–")):
        with pytest.raises(Refusal) as refusal:
            bot_named(name).choose(view, Budget())
        assert refusal.value.reason is Reason.NOT_YOUR_TURN
        assert refusal.value.details == {"seat": seat, "actor": 1}


def test_random_bots_with_other_seeds_play_otherwise() -> None:
    view = Game.new(players=4, seed=1).view(0)
    moves = {str(bot_named("random").choose(view, Budget(seed=seed))) for seed in range(50)}
    assert len(moves) > 20


def test_a_random_bot_makes_every_first_decision_about_equally_often() -> None:
    view = Game.new(players=2, seed=1).view(0)
    first = [str(bot_named("random").choose(view, Budget(seed=seed))).split()[0] for seed in range(5500)]
    counts = [first.count(word) for word in set(first)]
    assert len(counts) == len(view.actions) == 55
    assert 60 < min(counts) <= max(counts) < 145


def test_names_are_known_and_strange_ones_refused() -> None:
    assert bot_names()[:7] == ("random", "novice", "greedy", "seer", "heir", "regent", "sovereign")
    assert all(bot_named(name).name == name for name in bot_names())
    with pytest.raises(Refusal, match=r'There is no bot "Deep Crypt".*random, novice, greedy') as refusal:
        bot_named("Deep Crypt")
    assert refusal.value.reason is Reason.NO_SUCH_BOT


class Guest:
    name = "guest"

    def choose(self, view: View, budget: Budget) -> Move:
        return next(view.moves())


def make_guest() -> Guest:
    return Guest()


class Offer:
    name = "guest"

    def __init__(self, offered: Any) -> None:
        self.offered = offered

    def load(self) -> Any:
        return self.offered


@pytest.mark.parametrize("offered", [Guest, Guest(), make_guest], ids=["class", "bot", "function"])
def test_another_package_offers_a_bot_by_entry_point(offered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(**_: str) -> list[Offer]:
        return [Offer(offered)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setattr(registry, "_loaded", {})
    assert bot_names() == (*registry.LADDER, "guest")
    assert play(bot_named("guest"), Game.new(players=2, seed=5)).is_over


class BrokenOffer(Offer):
    def load(self) -> Any:
        raise ImportError("No module named 'gone'")


def test_a_bot_of_another_package_that_cannot_be_loaded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(**_: str) -> list[Offer]:
        return [BrokenOffer(None)]

    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setattr(registry, "_loaded", {})
    with pytest.raises(Refusal, match="guest cannot be loaded: No module named 'gone'"):
        bot_named("guest")


@pytest.mark.parametrize("attribute", ["Guest", "make_guest"])
def test_a_bot_is_found_by_its_path(attribute: str) -> None:
    assert play(bot_named(f"{__name__}:{attribute}"), Game.new(players=2, seed=5)).is_over


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("nowhere.to.be:Found", "No module named 'nowhere'"),
        ("royalcrypt.bots:Nobody", "has no attribute 'Nobody'"),
        ("royalcrypt.bots.registry:GROUP", r"choose\(view, budget\)"),
    ],
)
def test_a_path_that_leads_to_no_bot_is_refused(path: str, why: str) -> None:
    with pytest.raises(Refusal, match=f"The bot {path} cannot be loaded: .*{why}") as refusal:
        bot_named(path)
    assert refusal.value.reason is Reason.BROKEN_BOT


@pytest.mark.parametrize("name", registry.COMPILED)
def test_a_bot_tells_every_function_that_it_has_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its first move would wait for the compiler after all."""
    asked: set[object] = set()

    def note(function: Callable[..., object]) -> Callable[..., object]:
        asked.add(function)
        return compilation.compiled(function)

    bot = bot_named(name)
    for path, module in list(sys.modules.items()):
        if (
            path.startswith("royalcrypt.search.")
            and hasattr(module, "compiled")
            and module is not compilation
        ):
            monkeypatch.setattr(module, "compiled", note)
    for players in (1, 2, 4):
        game = Game.new(players=players, seed=players)
        for _ in range(3):
            if game.actor is not None:
                game.play(bot.choose(game.view(game.actor), Budget(simulations=20)))
    assert asked
    assert asked <= set(registry.entries_of(bot))
