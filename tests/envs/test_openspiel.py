"""OpenSpiel's own tests of a game, and comparisons with the rules."""

import pickle
import random
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from royalcrypt.envs.openspiel.game import SpielState
from royalcrypt.envs.openspiel.tables import STORY, state_in
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.event_builder import scores, winners
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.actions import ACTIONS, DONE, FLIP
from royalcrypt.rules.chance import list_outcomes
from royalcrypt.rules.layout import CHANCE, NOBODY, blank, dump, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply
from tests.envs.spiel import SET_UPS, finished, load, name_of, play_on, played, random_action, spiel

each_set_up = pytest.mark.parametrize("setting", SET_UPS, ids=name_of)


@each_set_up
def test_openspiels_random_simulation_test_passes(setting: Any) -> None:
    spiel.random_sim_test(load(*setting), num_sims=2, serialize=True, verbose=False, mask_test=True)


@each_set_up
def test_openspiels_full_game_simulation_passes(setting: Any) -> None:
    """Covers pickles, clones and ranges of utilities."""
    from open_spiel.python.tests import games_sim_test

    simulation: Any = games_sim_test.GamesSimTest()
    np.random.seed(1)
    simulation.sim_game(load(*setting))
    simulation.sim_game(load(*setting, returns="margin"))


@pytest.mark.parametrize("setting", [SET_UPS[2], SET_UPS[4], SET_UPS[5]], ids=name_of)
def test_a_playthrough_is_reproduced_exactly(setting: Any, tmp_path: Path) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(str(load(*setting)), [], seed=1), "utf-8")
    original, again = generate_playthrough.replay(str(file))
    assert original == again
    assert "IsTerminal() = True" in original
    assert "PublicObservationString() = " in original


@pytest.mark.parametrize("setting", [SET_UPS[1], SET_UPS[4], SET_UPS[5]], ids=name_of)
def test_openspiels_information_set_search_plays(setting: Any) -> None:
    """The search itself asserts that every resampled state has the real information state."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = load(*setting)
    evaluator: Any = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot: Any = ismcts.ISMCTSBot(game, evaluator, 1.4, 4, random_state=np.random.RandomState(1))
    rng = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state) if state.current_player() == 0 else random_action(state, rng))
    assert sum(state.returns()) == pytest.approx(1)


def test_openspiels_reinforcement_environment_steps_through_a_game() -> None:
    from open_spiel.python import rl_environment

    environment: Any = rl_environment.Environment(load(3), observation_type=None)
    environment.seed(1)
    rng = random.Random(1)
    moment = environment.reset()
    while not moment.last():
        moment = environment.step([rng.choice(moment.observations["legal_actions"][moment.current_player()])])
    assert sum(moment.rewards) == pytest.approx(1)


@each_set_up
def test_every_step_equals_the_rules(setting: Any) -> None:
    players, collectors, leader = setting
    for seed in range(3):
        own = blank()
        set_up(own, players, ["AB".index(side) for side in collectors], leader)
        rng = random.Random(seed)
        state = load(*setting).new_initial_state()
        while own.actor != NOBODY:
            assert state.current_player() == own.actor
            assert dump(state_in(state.memory)) == dump(own)
            if own.actor == CHANCE:
                options = no_options()
                count = list_outcomes(own, options)
                weights = list(islice(options.weights, count))
                found = state.chance_outcomes()
                assert [outcome for outcome, _ in found] == list(islice(options.codes, count))
                assert [chance * sum(weights) for _, chance in found] == pytest.approx(weights)
                assert sum(chance for _, chance in found) == pytest.approx(1)
            else:
                assert state.legal_actions() == legal_codes(own, own.actor)
            action = random_action(state, rng)
            state.apply_action(action)
            apply(own, own.actor, action)
        assert state.is_terminal()
        won = winners(own)
        assert state.returns() == [(seat in won) / len(won) for seat in range(players)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_margin_is_the_score_minus_the_best_other_score(players: int) -> None:
    state = finished(load(players, returns="margin"), seed=1)
    found = scores(state_in(state.memory))
    best, second = sorted(found)[-1:-3:-1]
    assert state.returns() == [score - (second if score == best else best) for score in found]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_story_has_room_for_the_longest_game(players: int) -> None:
    assert load(players).max_move_number() <= STORY


def test_returns_are_zero_before_the_end() -> None:
    assert load(3).new_initial_state().returns() == [0, 0, 0]


@pytest.mark.parametrize("setting", [SET_UPS[2], SET_UPS[5]], ids=name_of)
def test_legal_actions_equal_openspiels_own_method(setting: Any) -> None:
    for state in played(load(*setting), seed=2):
        assert state.legal_actions() == SpielState.legal_actions(state)
        assert state.is_chance_node() == SpielState.is_chance_node(state)
        for player in range(setting[0]):
            assert state.legal_actions(player) == SpielState.legal_actions(state, player)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    for state in played(load(2, "BABBAB"), seed=6):
        before = state.history(), state.memory.tolist()
        for action in {*range(ACTIONS), 5000} - set(state.legal_actions()):
            with pytest.raises(spiel.SpielError, match=f"python_royal_crypt: {action} is no legal action"):
                state.apply_action(action)
        assert (state.history(), state.memory.tolist()) == before
        if state.move_number() > 30:
            break


def test_a_clone_is_independent() -> None:
    for state in played(load(2, "BABBAB"), seed=3):
        before = str(state), state.history(), state.memory.tolist()
        play_on(state.clone())
        assert (str(state), state.history(), state.memory.tolist()) == before
        if state.move_number() > 20:
            break


@pytest.mark.parametrize("setting", [SET_UPS[1], SET_UPS[6]], ids=name_of)
def test_a_deserialised_game_continues_the_same(setting: Any) -> None:
    game = load(*setting)
    for number, state in enumerate(played(game, seed=4)):
        if number % 25 == 0:
            same_game, same = spiel.deserialize_game_and_state(spiel.serialize_game_and_state(game, state))
            assert str(same_game) == str(game)
            for twin in (same, pickle.loads(pickle.dumps(state))):
                assert (twin.history(), twin.legal_actions()) == (state.history(), state.legal_actions())
                assert twin.memory.tolist() == state.memory.tolist()
                assert play_on(twin) == play_on(state.clone())


def test_actions_are_written_in_our_notation_and_read_back() -> None:
    seen: set[str] = set()
    for collectors in ("BABBAB", "AABBAA"):
        for seed in range(4):
            for state in played(load(2, collectors), seed):
                player = state.current_player()
                for action in state.legal_actions():
                    text = state.action_to_string(player, action)
                    assert state.string_to_action(player, text) == action
                    if player >= 0 and action != DONE and action < FLIP:
                        assert str(Move.parse(text)) == text
                    seen.add(text.split()[0].split(":")[0])
    assert seen >= {"1", "3", "done", "recover", "peek", "mend", "take", "reroll", "decline", "flip"}
    assert seen >= {"draw", "top", "roll"}


def test_the_state_prints_the_whole_table() -> None:
    state = load(2, "BABBAB").new_initial_state()
    for action in (2, 5, 13, 3):
        state.apply_action(action)
    state.apply_action(state.string_to_action("1:2x3"))
    assert str(state).splitlines() == [
        "BABBAB, round 1 of 8, claim, turn 1 of 3, seat 0 leads, seat 0 decides",
        "row: I3 (2x3 of seat 0), J2, P2 face-down",
        "seat 0: 1 ready, 0 exhausted: none",
        "seat 1: 3 ready, 0 exhausted: none",
        "deck: 21 cards, P on top",
        "discarded: none",
    ]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"players": 5}, 'python_royal_crypt: players cannot be "5": give a whole number from 2 to 4.'),
        ({"players": 1}, 'python_royal_crypt: players cannot be "1": give a whole number from 2 to 4.'),
        ({"leader": 2}, 'python_royal_crypt: leader cannot be "2": give a whole number from 0 to 1.'),
        ({"leader": -1}, 'python_royal_crypt: leader cannot be "-1": give a whole number from 0 to 1.'),
        ({"collectors": "X"}, '"X" does not set the Collectors: write six letters A or B, '),
        ({"returns": "coins"}, 'python_royal_crypt: returns cannot be "coins": give one of win, margin.'),
    ],
    ids=str,
)
def test_invalid_parameters_are_refused_in_one_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        load(**parameters)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("parameters", [{"players": "two"}, {"ghosts": 1}], ids=str)
def test_openspiel_refuses_unknown_parameters(parameters: dict[str, Any]) -> None:
    with pytest.raises(spiel.SpielError):
        load(**parameters)
