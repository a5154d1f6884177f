"""Scripted games are those of ``simulate``, and their records are what happened."""

import json
from typing import Any

import numpy as np
import pytest

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.collectors import IN_PLAY
from royalcrypt.lab.studies.game_records import PUSHED_OUT, Intervention
from royalcrypt.lab.studies.games import COINS, DealBatch, PlayedGames, play
from royalcrypt.lab.tables import Setting
from royalcrypt.rules.layout import GHOST, TYPES

PLAYERS = (1, 2, 3, 4)
SEED = 11
GAMES = 6


def scripts(players: int, games: int = GAMES) -> Any:
    return DealBatch("seats", players, range(games), SEED, BOT).scripts()


def played(players: int, games: int = GAMES) -> PlayedGames:
    return play(scripts(players, games), SEED, has_turns=True)


def records(players: int) -> list[Any]:
    setting = Setting(players, (BOT,) * players, SEED)
    outcomes = simulate(setting, GAMES, plain_backend(), is_recorded=True)
    return [json.loads(outcome.line or "") for outcome in outcomes]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_strong_player_plays_the_games_of_heir(players: int) -> None:
    setting = Setting(players, (BOT,) * players, SEED)
    games = played(players)
    for index, outcome in enumerate(simulate(setting, GAMES, plain_backend())):
        assert tuple(games.scores[index]) == outcome.scores
        assert tuple(np.flatnonzero(games.wins[index])) == outcome.winners
        assert games.results["decisions"][index] == outcome.decisions


@pytest.mark.parametrize("players", PLAYERS)
def test_coins_bonuses_and_dice_add_up_to_the_score(players: int) -> None:
    games = played(players)
    coins = games.by_seat("cards") @ COINS
    bonuses = games.by_seat("bonuses").sum(axis=2)
    assert (coins + bonuses + games.results["dice"][:, :players] == games.scores).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_bonuses_and_dice_are_those_of_the_records(players: int) -> None:
    games = played(players)
    for index, record in enumerate(records(players)):
        for seat, parts in enumerate(record["result"]["breakdown"]):
            assert list(parts["collectors"].values()) == list(games.by_seat("bonuses")[index, seat])
            assert parts["servants"] == games.results["dice"][index, seat]


@pytest.mark.parametrize("players", PLAYERS)
def test_turns_are_those_of_the_records(players: int) -> None:
    turns = played(players).turns
    if players == 1:
        turns = turns[turns["seat"] != GHOST]
    for index, record in enumerate(records(players)):
        claims = [event for event in record["events"] if event["type"] == "claim"]
        placed = [place for claim in claims for place in claim["place"]]
        recoveries = [event for event in record["events"] if event["type"] == "recover"]
        here = turns[turns["game"] == index]
        assert (here["effort"] == 0).sum() == len(recoveries)
        expected = [(place["dice"], place["effort"]) for place in placed]
        assert [(turn["dice"], turn["effort"]) for turn in here if turn["effort"]] == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_push_has_a_placement_that_is_pushed_out(players: int) -> None:
    turns = played(players).turns
    assert turns["pushes"].sum() == (turns["fate"] == PUSHED_OUT).sum() > 0
    assert (turns["failed"] <= turns["dice"]).all()
    assert not turns["failed"][turns["fate"] == PUSHED_OUT].any()
    assert not turns["failed"][turns["effort"] == 1].any()


@pytest.mark.parametrize("players", [2, 4])
def test_a_seat_that_is_denied_a_reward_never_uses_it(players: int) -> None:
    denied = np.repeat(scripts(players), TYPES)
    denied["intervention"] = Intervention.REWARD_DENIED
    denied["seat"] = 1
    denied["card_type"] = np.tile(np.arange(TYPES), GAMES)
    denied["sides"] = np.where(IN_PLAY >= 0, IN_PLAY, 0)
    free = denied.copy()
    free["intervention"] = Intervention.NONE
    rows, types = np.arange(len(denied)), denied["card_type"]
    assert play(free, SEED).by_seat("uses")[rows, 1, types].sum() > 0
    assert play(denied, SEED).by_seat("uses")[rows, 1, types].sum() == 0


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_removed_card_is_missing_only_from_its_owner(players: int) -> None:
    """The last one taken: after it nobody can do anything else."""
    base = played(players)
    removed = scripts(players)
    removed["intervention"] = Intervention.CARD_REMOVED
    removed["occurrence"] = base.results["takings"] - 1
    changed = play(removed, SEED)
    results = changed.results
    assert results["is_changed"].all()
    gone = base.by_seat("cards") - changed.by_seat("cards")
    rows, seats, kinds = np.arange(GAMES), results["seat"], results["card_kind"]
    assert gone.sum() == GAMES
    assert (gone[rows, seats, kinds] == 1).all()
    before, after = (games.scores[rows, seats] for games in (base, changed))
    is_last = np.isclose(results["score_before"], before, atol=1e-3)  # Nobody could guess it so well.
    assert is_last.sum() >= GAMES - 2
    assert np.allclose(results["score_after"][is_last], after[is_last], atol=1e-3)


def test_a_game_is_the_same_until_the_card_is_removed() -> None:
    base = played(2)
    removed = scripts(2)
    removed["intervention"] = Intervention.CARD_REMOVED
    removed["occurrence"] = 5
    changed = play(removed, SEED, has_turns=True)
    for index, result in enumerate(changed.results):
        one, other = (turns[turns["game"] == index] for turns in (base.turns, changed.turns))
        until = result["round_number"] - 1
        assert (one[one["round_number"] <= until] == other[other["round_number"] <= until]).all()


def test_the_other_choice_is_made_at_one_turn() -> None:
    base = played(2, 30)
    given = scripts(2, 30)
    given["intervention"] = Intervention.OTHER_CHOICE
    changed = play(given, SEED, has_turns=True)
    choices = changed.results["is_changed"] == 1
    assert choices.sum() > 20
    chosen = ["seat", "round_number", "turn", "effort", "dice", "card_type", "value"]
    for index in np.flatnonzero(choices):
        one, other = (turns[turns["game"] == index] for turns in (base.turns, changed.turns))
        pairs = zip(one[chosen], other[chosen], strict=False)
        differ = next(row for row, pair in enumerate(pairs) if pair[0] != pair[1])
        would, does = one[differ]["effort"] == 0, other[differ]["effort"] == 0
        assert would == (changed.results["would_recover"][index] == 1) != does
        assert one[differ]["ready"] == changed.results["ready"][index] > 0
        assert one[differ]["exhausted"] == changed.results["exhausted"][index] > 0


def test_light_players_sit_in_the_chosen_seats() -> None:
    lights = np.repeat(scripts(2, 60), 2)
    lights["lights"] = np.tile([0b10, 0b01], 60)
    wins = play(lights, SEED).wins
    strong = np.concatenate([wins[::2, 0], wins[1::2, 1]])
    assert strong.mean() > 0.65
