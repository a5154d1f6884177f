"""Scripted games are those of ``simulate``, and what is told of them is what happened."""

import json
from typing import Any

import numpy as np
import pytest

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.playing import Told, by_type, cards_of, desk, scores_of, wins_of
from royalcrypt.lab.studies.questions import Piece, scripts_for
from royalcrypt.lab.studies.rewards import COINS, IN_PLAY
from royalcrypt.lab.studies.scripts import PUSHED_OUT, Twist
from royalcrypt.lab.tables import Setting
from royalcrypt.rules.layout import GHOST, TYPES

PLAYERS = (1, 2, 3, 4)
SEED = 11
GAMES = 6


def scripts(players: int, games: int = GAMES) -> Any:
    return scripts_for(Piece("seats", players, range(games), SEED, BOT))


def played(players: int, games: int = GAMES) -> Told:
    return desk().play(scripts(players, games), SEED, has_turns=True)


def records(players: int) -> list[Any]:
    setting = Setting(players, (BOT,) * players, SEED)
    outcomes = simulate(setting, GAMES, plain_backend(), is_recorded=True)
    return [json.loads(outcome.line or "") for outcome in outcomes]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_strong_player_plays_the_games_of_heir(players: int) -> None:
    setting = Setting(players, (BOT,) * players, SEED)
    tales = played(players).tales
    for index, outcome in enumerate(simulate(setting, GAMES, plain_backend())):
        assert tuple(scores_of(tales, players)[index]) == outcome.scores
        assert tuple(np.flatnonzero(wins_of(tales, players)[index])) == outcome.winners
        assert tales["decisions"][index] == outcome.decisions


@pytest.mark.parametrize("players", PLAYERS)
def test_coins_bonuses_and_dice_add_up_to_the_score(players: int) -> None:
    tales = played(players).tales
    coins = cards_of(tales, players) @ COINS
    bonuses = by_type(tales, "bonuses", players).sum(axis=2)
    assert (coins + bonuses + tales["dice"][:, :players] == scores_of(tales, players)).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_bonuses_and_dice_are_those_of_the_records(players: int) -> None:
    tales = played(players).tales
    for index, record in enumerate(records(players)):
        for seat, told in enumerate(record["result"]["breakdown"]):
            assert list(told["collectors"].values()) == list(by_type(tales, "bonuses", players)[index, seat])
            assert told["servants"] == tales["dice"][index, seat]


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
        told = [(place["dice"], place["effort"]) for place in placed]
        assert [(turn["dice"], turn["effort"]) for turn in here if turn["effort"]] == told


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_pushes_pushes_somebody_out(players: int) -> None:
    turns = played(players).turns
    assert turns["pushes"].sum() == (turns["fate"] == PUSHED_OUT).sum() > 0
    assert (turns["failed"] <= turns["dice"]).all()
    assert not turns["failed"][turns["fate"] == PUSHED_OUT].any()
    assert not turns["failed"][turns["effort"] == 1].any()


@pytest.mark.parametrize("players", [2, 4])
def test_who_is_barred_from_a_reward_never_uses_it(players: int) -> None:
    barred = np.repeat(scripts(players), TYPES)
    barred["twist"] = Twist.BARRED
    barred["seat"] = 1
    barred["card_type"] = np.tile(np.arange(TYPES), GAMES)
    barred["sides"] = np.where(IN_PLAY >= 0, IN_PLAY, 0)
    free = barred.copy()
    free["twist"] = Twist.NONE
    rows, types = np.arange(len(barred)), barred["card_type"]
    assert by_type(desk().play(free, SEED).tales, "uses", players)[rows, 1, types].sum() > 0
    assert by_type(desk().play(barred, SEED).tales, "uses", players)[rows, 1, types].sum() == 0


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_card_that_is_taken_away_is_missed_by_its_owner_alone(players: int) -> None:
    """The last one taken: after it nobody can do anything else."""
    base = played(players).tales
    robbed = scripts(players)
    robbed["twist"] = Twist.ROBBED
    robbed["moment"] = base["takings"] - 1
    tales = desk().play(robbed, SEED).tales
    assert tales["is_twisted"].all()
    gone = cards_of(base, players) - cards_of(tales, players)
    rows, seats, kinds = np.arange(GAMES), tales["seat"], tales["card_kind"]
    assert gone.sum() == GAMES
    assert (gone[rows, seats, kinds] == 1).all()
    before, after = (scores_of(told, players)[rows, seats] for told in (base, tales))
    is_last = np.isclose(tales["score_before"], before, atol=1e-3)  # Nobody could guess it so well.
    assert is_last.sum() >= GAMES - 2
    assert np.allclose(tales["score_after"][is_last], after[is_last], atol=1e-3)


def test_a_game_is_the_same_up_to_the_card_that_is_taken_away() -> None:
    base = played(2)
    robbed = scripts(2)
    robbed["twist"] = Twist.ROBBED
    robbed["moment"] = 5
    told = desk().play(robbed, SEED, has_turns=True)
    for index, tale in enumerate(told.tales):
        one, other = (turns[turns["game"] == index] for turns in (base.turns, told.turns))
        until = tale["round_number"] - 1
        assert (one[one["round_number"] <= until] == other[other["round_number"] <= until]).all()


def test_at_one_turn_the_other_choice_is_made() -> None:
    base = played(2, 30)
    other = scripts(2, 30)
    other["twist"] = Twist.OTHERWISE
    told = desk().play(other, SEED, has_turns=True)
    choices = told.tales["is_twisted"] == 1
    assert choices.sum() > 20
    chosen = ["seat", "round_number", "turn", "effort", "dice", "card_type", "value"]
    for index in np.flatnonzero(choices):
        one, twisted = (turns[turns["game"] == index] for turns in (base.turns, told.turns))
        pairs = zip(one[chosen], twisted[chosen], strict=False)
        differ = next(row for row, pair in enumerate(pairs) if pair[0] != pair[1])
        would, does = one[differ]["effort"] == 0, twisted[differ]["effort"] == 0
        assert would == (told.tales["would_recover"][index] == 1) != does
        assert one[differ]["ready"] == told.tales["ready"][index] > 0
        assert one[differ]["exhausted"] == told.tales["exhausted"][index] > 0


def test_light_players_sit_where_they_are_told_to() -> None:
    lights = np.repeat(scripts(2, 60), 2)
    lights["lights"] = np.tile([0b10, 0b01], 60)
    wins = wins_of(desk().play(lights, SEED).tales, 2)
    strong = np.concatenate([wins[::2, 0], wins[1::2, 1]])
    assert strong.mean() > 0.65
