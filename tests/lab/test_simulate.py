"""Simulations are the same games on every carrier, in any number of processes, and follow the rules."""

import json

import pytest

from royalcrypt import Game, IllegalAction, Move, Record, View
from royalcrypt.bots import Budget, bot_named, registry
from royalcrypt.lab.backends import Backend, compiled_backend, plain_backend
from royalcrypt.lab.simulate import quickest_backend, simulate
from royalcrypt.lab.summary import Spread, Summary
from royalcrypt.lab.tables import Outcome, Setting, batch_outcomes, deal, play_batch
from royalcrypt.lab.worker_pools import worker_pool
from royalcrypt.play.chance import SeededChance
from royalcrypt.rules.chance import game_key
from royalcrypt.search.simulation import bots_seed
from tests.oracle.referee import referee

PLAYERS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def compiled() -> Backend:
    return compiled_backend()


def lines(setting: Setting, games: int, carrier: Backend) -> list[str]:
    return [outcome.line or "" for outcome in simulate(setting, games, carrier, is_recorded=True)]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("bot", "games"), [("random", 40), ("greedy", 15)])
def test_the_referee_accepts_every_record(players: int, bot: str, games: int) -> None:
    setting = Setting(players, (bot,) * players, seed=2026, leader=None)
    for line in lines(setting, games, plain_backend()):
        referee(json.loads(line))
        assert Game.from_record(line).record().to_json() == line


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_both_backends_write_the_same_bytes(players: int, bot: str, compiled: Backend) -> None:
    setting = Setting(players, (bot,) * players, seed=7, leader=None)
    assert lines(setting, 12, plain_backend()) == lines(setting, 12, compiled)


@pytest.mark.parametrize("players", PLAYERS)
def test_without_records_the_outcomes_are_the_same_on_both_backends(players: int, compiled: Backend) -> None:
    setting = Setting(players, ("random",) * players, seed=2**63 - 1)
    recorded = [
        Outcome(told.bots, told.scores, told.winners, told.rounds, told.decisions)
        for told in simulate(setting, 30, compiled, is_recorded=True)
    ]
    assert recorded == list(simulate(setting, 30, plain_backend()))
    assert recorded == list(simulate(setting, 30, compiled))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_simulated_game_is_what_the_bots_play_at_a_table(players: int, name: str) -> None:
    setting = Setting(players, (name,) * players, seed=5)
    for number, line in enumerate(lines(setting, 4, plain_backend())):
        told = Record.parse(line)
        chance = SeededChance(5, number)
        game = Game.new(players=players, collectors=told.collectors, chance=chance, seats=told.seats)
        game.id = f"5-{number}"
        budget = Budget(seed=bots_seed(*game_key(5, number)))
        while game.actor is not None:
            game.play(bot_named(name).choose(game.view(game.actor), budget))
        assert game.record().to_json() == line


def test_several_processes_give_the_same_games_in_the_same_order() -> None:
    setting = Setting(3, ("random",) * 3, seed=9)
    alone = list(simulate(setting, 70, plain_backend(), is_recorded=True))
    with worker_pool(2) as crew:
        assert alone == list(simulate(setting, 70, plain_backend(), is_recorded=True, pool=crew))


def test_the_first_games_of_a_longer_simulation_are_those_of_a_shorter_one() -> None:
    setting = Setting(2, ("random",) * 2, seed=9)
    assert lines(setting, 9, plain_backend())[:4] == lines(setting, 4, plain_backend())


def test_swapped_bots_meet_the_same_cards_in_every_seat() -> None:
    setting = Setting(3, ("greedy", "random", "random"), seed=4, is_swapped=True)
    deals = [deal(setting, number) for number in range(6)]
    assert [dealt.bots.index("greedy") for dealt in deals] == [0, 1, 2, 0, 1, 2]
    assert len({dealt.chance.key for dealt in deals[:3]}) == 1
    assert deals[0].chance.key != deals[3].chance.key
    assert deals[0].sides == deals[2].sides


def test_the_lead_passes_on_only_if_asked_to() -> None:
    fixed, rotating = Setting(3, ("random",) * 3), Setting(3, ("random",) * 3, leader=None)
    assert [deal(fixed, number).leader for number in range(4)] == [0, 0, 0, 0]
    assert [deal(rotating, number).leader for number in range(4)] == [0, 1, 2, 0]


def test_random_players_meet_the_same_games_however_they_are_played(compiled: Backend) -> None:
    """In whole batches, compiled, or one by one."""
    for setting in (
        Setting(3, ("random",) * 3, seed=4, collectors=None, leader=None),
        Setting(2, ("random",) * 2, seed=4, leader=1, is_swapped=True),
        Setting(1, ("random",), seed=4),
    ):
        assert list(simulate(setting, 7, compiled)) == list(simulate(setting, 7, plain_backend()))
    played = batch_outcomes(setting, range(3, 5), play_batch((setting, range(3, 5))))
    assert played == list(simulate(setting, 5, plain_backend()))[3:]


def test_bots_get_a_seed_that_is_not_the_key_of_the_cards() -> None:
    dealt = deal(Setting(2, ("random",) * 2, seed=1), 0)
    assert dealt.bots_seed not in (1, dealt.chance.key[0] << 32 | dealt.chance.key[1])


class Cheat:
    name = "cheat"

    def __init__(self, move: Move) -> None:
        self.move = move

    def choose(self, view: View, budget: Budget) -> Move:
        return self.move


@pytest.mark.parametrize("move", [Move(()), Move.parse("1:3x7"), Move.parse("recover; recover")], ids=str)
def test_an_illegal_move_of_a_bot_is_refused(move: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._loaded, "cheat", Cheat(move))
    with pytest.raises(IllegalAction):
        next(simulate(Setting(2, ("cheat",) * 2), 1, plain_backend()))


def test_a_game_without_end_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("royalcrypt.search.simulation.STEPS_AT_MOST", 5)
    with pytest.raises(RuntimeError, match=r"SeededChance\(seed=0, game=0\) found no end"):
        next(simulate(Setting(2, ("random",) * 2), 1, plain_backend()))


def test_few_games_or_thinking_bots_stay_on_the_plain_backend() -> None:
    random, greedy = Setting(2, ("random",) * 2), Setting(2, ("greedy",) * 2)
    assert quickest_backend(random, 100, is_recorded=False) == "plain"
    assert quickest_backend(greedy, 10**9, is_recorded=False) == "plain"
    assert quickest_backend(random, 10**9, is_recorded=True) == "plain"
    assert quickest_backend(random, 10**9, is_recorded=False) == "compiled"


def test_a_spread_is_counted_exactly() -> None:
    spread = Spread()
    for number in (3, 5, 10):
        spread.add(number)
    assert spread.to_dict() == {"mean": 6.0, "sd": 3.6056, "min": 3, "max": 10}


def test_a_shared_win_is_shared_fairly() -> None:
    summary = Summary(Setting(4, ("a", "a", "a", "b"), collectors="AAAAAA"))
    summary.add(Outcome(("a", "a", "a", "b"), (9, 9, 1, 9), (0, 1, 3), rounds=8, decisions=50))
    summary.add(Outcome(("a", "a", "a", "b"), (9, 1, 1, 9), (0,), rounds=8, decisions=52))
    told = summary.to_dict()
    assert [seat["wins"] for seat in told["seats"]] == [1.3333, 0.3333, 0.0, 0.3333]
    assert told["bots"]["a"]["wins"] == 1.6667
    assert told["bots"]["b"]["win_share"] == 0.1667
    assert told["decisions"]["mean"] == 51.0
    assert "ranks" not in told


def test_alone_ranks_are_counted_instead_of_wins() -> None:
    summary = Summary(Setting(1, ("a",), collectors="AAAAAA"))
    for score in (29, 30, 39, 40, 50, 71):
        summary.add(Outcome(("a",), (score,), (0,), rounds=8, decisions=20))
    told = summary.to_dict()
    assert {rank: found["games"] for rank, found in told["ranks"].items()} == {
        "fool": 1,
        "petty": 2,
        "affluent": 1,
        "magnificent": 2,
    }
    assert "wins" not in told["seats"][0]
