"""Information states hold what a seat may know (R11), all of it, and nothing else."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from royalcrypt import Game, Move
from royalcrypt.envs.openspiel import observer
from royalcrypt.envs.openspiel.observer import observe, write_story
from royalcrypt.envs.openspiel.tables import STORY_AT, TOGETHER, copy_known, state_in
from royalcrypt.notation.cards import card_of
from royalcrypt.play.chance import Address, RecordedChance, SeededChance
from royalcrypt.rules.turns import is_under_way
from tests.envs.spiel import SET_UPS, load, name_of, played, random_action
from tests.properties.hidden import Listening, flipped, known_to, otherwise


class Setting(NamedTuple):
    players: int
    collectors: str
    leader: int


def told(state: Any, player: int) -> list[Any]:
    """Everything that a player can observe."""
    return [
        state.current_player(),
        state.information_state_string(player),
        state.information_state_tensor(player),
        state.observation_string(player),
        state.observation_tensor(player),
        state.legal_actions(player) if state.current_player() == player else [],
    ]


def begin(setting: Setting, chance: Any) -> Game:
    players, collectors, leader = setting
    return Game.new(players=players, collectors=collectors, leader=leader, chance=chance)


def play_both(setting: Setting, seed: int, moves: int) -> tuple[Game, list[int]]:
    """A game after some moves, and the players' actions that lead OpenSpiel's state to the same position."""
    rng = random.Random(seed)
    game = begin(setting, Listening(SeededChance(seed)))
    state = load(*setting).new_initial_state()
    actions: list[int] = []
    move: list[int] = []
    while len(game.moves) < moves:
        if state.is_chance_node():
            state.apply_action(SeededChance(seed).outcome(state_in(state.memory)))
            continue
        seat = state.current_player()
        move.append(random_action(state, rng))
        actions.append(move[-1])
        state.apply_action(move[-1])
        if not is_under_way(state_in(state.memory), seat):
            game.play(Move.from_codes(move), seat=seat)
            move = []
    return game, actions


def retell(setting: Setting, actions: list[int], chance: Any, player: int) -> list[list[Any]]:
    """What the player observes at every step."""
    state = load(*setting).new_initial_state()
    story = [told(state, player)]
    left = list(actions)
    while left or state.is_chance_node():
        if state.is_chance_node():
            state.apply_action(chance.outcome(state_in(state.memory)))
        else:
            state.apply_action(left.pop(0))
        story.append(told(state, player))
    return story


def check_no_leak(setting: Setting, seed: int, moves: int) -> int:
    """Compare with games that differ only in cards a player cannot know; return how many cards differed."""
    game, actions = play_both(setting, seed, moves)
    chance: Any = game.chance
    brought: dict[Address, int] = chance.brought
    rng = random.Random(seed)
    differed = 0
    for player in range(setting.players):
        others = otherwise(game.state, known_to(player, game), brought, rng)
        twin = begin(setting, RecordedChance(others, SeededChance(seed)))
        for seat, move in game.moves:
            twin.play(move, seat=seat)
        if flipped(twin) != flipped(game):
            continue  # Another of two equal cards was flipped, which everybody saw.
        differed += sum(others[address] != brought[address] for address in brought)
        mine = retell(setting, actions, RecordedChance(brought, SeededChance(seed)), player)
        theirs = retell(setting, actions, RecordedChance(others, SeededChance(seed)), player)
        assert mine == theirs
    return differed


@pytest.mark.parametrize("setting", SET_UPS, ids=name_of)
def test_hidden_cards_change_nothing_a_player_observes(setting: Any) -> None:
    differed = sum(check_no_leak(Setting(*setting), seed, moves) for seed, moves in ((1, 8), (2, 20)))
    assert differed > 0, "these games hid nothing, so they prove nothing"


def check_games(seeds: tuple[int, ...]) -> int:
    return sum(check_no_leak(Setting(2, "BABBAB", 0), seed, 20) for seed in seeds)


def as_neighbour(real: Callable[..., Any], *arguments: Any) -> Any:
    """With the knowledge of the next seat."""
    *before, viewer = arguments[:3]
    return real(*before, 1 - viewer, *arguments[3:])


def unconcealed(_: Any, memory: Any, known: Any, __: int) -> None:
    known[:] = memory


def with_whole_story(real: Callable[..., Any], memory: Any, known: Any, viewer: int) -> None:
    real(memory, known, viewer)
    known[STORY_AT:] = memory[STORY_AT:]


def among_friends(real: Callable[..., Any], memory: Any, known: Any, numbers: Any, _: int, *more: int) -> int:
    return real(memory, known, numbers, TOGETHER, *more)


def with_marked_cards(real: Callable[..., Any], memory: Any, known: Any, numbers: Any, *more: int) -> int:
    """A number that depends on every card."""
    at = real(memory, known, numbers, *more)
    numbers[0] += sum(state_in(memory).card_value) % 7
    return at


def with_steps_counted(real: Callable[..., Any], known: Any, numbers: Any, at: int) -> int:
    """Harmless: the observation changes for all players alike."""
    numbers[at - 1] += 1
    return real(known, numbers, at)


def planted(monkeypatch: pytest.MonkeyPatch, where: Any, leak: Callable[..., Any]) -> None:
    real = observer.compiled

    def leaking(function: Any) -> Any:
        return partial(leak, real(function)) if function is where else real(function)

    monkeypatch.setattr(observer, "compiled", leaking)


@pytest.mark.parametrize(
    ("where", "leak"),
    [
        (copy_known, as_neighbour),
        (copy_known, unconcealed),
        (copy_known, with_whole_story),
        (observe, among_friends),
        (observe, with_marked_cards),
    ],
    ids=lambda one: one.__name__,
)
def test_a_planted_leak_is_detected(monkeypatch: pytest.MonkeyPatch, where: Any, leak: Any) -> None:
    planted(monkeypatch, where, leak)
    with pytest.raises(AssertionError, match="assert"):
        check_games((1, 2, 3))


def test_a_change_that_all_players_see_is_no_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, write_story, with_steps_counted)
    assert check_games((1,)) > 0


@pytest.mark.parametrize("setting", SET_UPS, ids=name_of)
def test_a_resampled_state_has_the_same_information_state(setting: Any) -> None:
    rng = random.Random(1)
    differed = 0
    for number, state in enumerate(played(load(*setting), seed=5)):
        if number % 7:
            continue
        for player in range(setting[0]):
            twin = state.resample_from_infostate(player, rng.random)
            assert told(twin, player) == told(state, player)
            differed += twin.history() != state.history()
    assert differed > 10


def test_resampling_excludes_states_with_other_ties() -> None:
    """R7.3: all see who rolls for the first place, which depends on hidden cards."""
    ties = 0
    rng = random.Random(1)
    for seed in range(150):
        for state in played(load(4, "BBBBAB"), seed):
            if "tied" in str(state):
                ties += 1
                twin = state.resample_from_infostate(0, rng.random)
                assert told(twin, 0) == told(state, 0)
                assert str(twin).count("tied") == str(state).count("tied")
                break
        if ties == 3:
            return
    pytest.fail("these games had no ties")


def test_resampling_a_finished_game_returns_the_same_state() -> None:
    *_, state = played(load(4), seed=1)
    assert state.resample_from_infostate(0, random.Random(1).random).history() == state.history()


def test_resampled_states_follow_the_beliefs() -> None:
    """R11.5: among three players, two of six Pottery cards are worth 2, two 3, and one each 1 and 4."""
    state = load(3).new_initial_state()
    for outcome in (0, 4, 8, 12):  # I1, J1, M1 face-up, P1 face-down
        state.apply_action(outcome)
    rng = random.Random(1)
    found = Counter(
        str(card_of(state_in(state.resample_from_infostate(0, rng.random).memory), 3)) for _ in range(1200)
    )
    assert set(found) == {"P1", "P2", "P3", "P4"}
    assert found["P1"] == pytest.approx(200, abs=45)
    assert found["P4"] == pytest.approx(200, abs=45)
    assert found["P2"] == pytest.approx(400, abs=60)


class Numbers:
    """A sampler that counts its calls; one try takes two numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.drawn = 0

    def __call__(self) -> float:
        self.drawn += 1
        return self.rng.random()


def test_resampling_excludes_states_in_which_another_equal_card_was_flipped() -> None:
    """Section 12: of equal cards the one taken first is flipped, and all see which one that is."""
    rejected = 0
    rng = random.Random(1)
    for seed in range(6):
        for state in played(load(4, "BBBBAB"), seed):
            if "flip" not in state.information_state_string(0) or state.move_number() % 5:
                continue
            for player in range(4):
                numbers = Numbers(rng)
                twin = state.resample_from_infostate(player, numbers)
                assert told(twin, player) == told(state, player)
                rejected += numbers.drawn > 2
    assert rejected > 0


def test_different_knowledge_gives_different_information_states() -> None:
    """With perfect recall, no two steps are equal, and a peek informs only the seat that peeked."""
    game = load(2, "AABAAA")
    for seed in range(40):
        texts: set[str] = set()
        tensors: set[tuple[float, ...]] = set()
        for moment, state in enumerate(played(game, seed), 1):
            texts.add(state.information_state_string(0))
            tensors.add(tuple(state.information_state_tensor(0)))
            assert len(texts) == len(tensors) == moment
            if "peek" in legal_words(state):
                check_peek(state, state.current_player())
                return
    pytest.fail("nobody could peek")


def legal_words(state: Any) -> list[str]:
    return [state.action_to_string(state.current_player(), action) for action in state.legal_actions()]


def check_peek(state: Any, peeker: int) -> None:
    hidden = [state.information_state_string(player).count("?") for player in range(2)]
    state.apply_action(state.string_to_action("peek"))
    state.apply_action(state.legal_actions()[0])
    after = [state.information_state_string(player).count("?") for player in range(2)]
    assert after[peeker] == hidden[peeker] - 1
    assert (
        after[1 - peeker] >= hidden[1 - peeker] - 1
    )  # The flipped Manuscript may have been hidden from them.
    assert "; peek; flip " in state.information_state_string(1 - peeker)
