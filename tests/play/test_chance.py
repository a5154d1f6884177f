"""Where outcomes come from (RECORD.md, Chance)."""

import copy
import pickle

import pytest

from royalcrypt import Game
from royalcrypt.play.chance import CommittedChance, RecordedChance, SeededChance, address_of
from royalcrypt.rules.layout import blank
from royalcrypt.rules.reveal import set_up
from tests.oracle.chance import choose, commitment
from tests.rules.tables import Luck, finish


@pytest.mark.parametrize("outcomes", [1, 2, 6, 24, 48, 2**31 + 1, 3 * 2**30 + 1])
def test_a_committed_choice_is_what_anybody_can_recompute(outcomes: int) -> None:
    """With rejection sampling: of 2**31 + 1 outcomes every other word is refused."""
    secret, entropy = bytes(range(32)), ("ada", "bo")
    chance = CommittedChance(secret, entropy)
    for index in range(20):
        address = ("die", 3, 1, index)
        assert chance.choose(address, outcomes) == choose(secret, entropy, address, outcomes)
    assert chance.commitment == commitment(secret)


def test_a_secret_is_never_printed() -> None:
    chance = CommittedChance(bytes(32))
    assert "0000" not in repr(chance)
    assert "\\x00" not in repr(chance)


def test_a_copy_brings_the_same_chance() -> None:
    chance = CommittedChance(bytes(range(32)), ("ada", "bo"))
    for twin in (copy.deepcopy(chance), pickle.loads(pickle.dumps(chance))):
        assert twin == chance
        assert hash(twin) == hash(chance)
        assert twin.word(("die", 3, 1, 0), 0) == chance.word(("die", 3, 1, 0), 0)


def test_a_record_says_under_which_seal_its_secret_is_shared() -> None:
    assert "seal" not in CommittedChance(bytes(32)).published(is_over=True)["fairness"]
    shared = CommittedChance(bytes(32), seal="daily:2026-11-17")
    assert pickle.loads(pickle.dumps(shared)) == shared
    for is_over in (False, True):
        assert shared.published(is_over=is_over)["fairness"]["seal"] == "daily:2026-11-17"


def test_fresh_secrets_differ() -> None:
    assert CommittedChance().secret != CommittedChance().secret
    assert len(CommittedChance().secret) == 32


def test_the_secret_of_a_running_game_is_for_saves_only_and_published_at_the_end() -> None:
    chance = CommittedChance(bytes(32), ("a",))
    running, over = chance.published(is_over=False), chance.published(is_over=True)
    assert running == {"fairness": {"commitment": chance.commitment, "entropy": ["a"]}}
    assert over == {"fairness": {"commitment": chance.commitment, "seed": "00" * 32, "entropy": ["a"]}}
    assert chance.kept() == {"secret": "00" * 32}


def test_a_seed_is_published_at_the_end_too() -> None:
    seeded = SeededChance(7, 2)
    assert seeded.kept() == {"chance": {"generator": "seeded", "seed": 7, "game": 2}}
    assert seeded.published(is_over=False) == {}
    assert seeded.published(is_over=True) == seeded.kept()


def test_games_of_one_seed_differ_by_their_number() -> None:
    rows = {str(Game.new(players=4, chance=SeededChance(1, number))) for number in range(5)}
    assert len(rows) == 5


def test_the_first_address_is_the_first_card() -> None:
    state = blank()
    set_up(state, 2, [0] * 6, 0)
    assert address_of(state) == ("card", 1, 0, 0)


def test_recorded_outcomes_come_first_and_another_source_after_them() -> None:
    outcomes = {("card", 1, 0, 0): 23, ("card", 1, 0, 1): 22}
    chance = RecordedChance(outcomes, Luck("T2"))
    game = Game.new(players=2, chance=chance)
    assert [str(slot.card) for slot in game.view().row] == ["T4", "T3", "T?"]
    assert chance.published(is_over=True) == chance.kept() == {}
    recorded, seeded = RecordedChance({}, SeededChance(3)), SeededChance(3)
    assert recorded.published(is_over=True) == seeded.published(is_over=True)
    assert recorded.kept() == seeded.kept()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_card_is_drawn_once_in_a_seeded_game(players: int) -> None:
    view = finish(Game.new(players=players, seed=3)).view()
    assert (
        len(view.discards) + sum(len(seat.cards) for seat in view.seats)
        == {1: 24, 2: 24, 3: 36, 4: 48}[players]
    )
