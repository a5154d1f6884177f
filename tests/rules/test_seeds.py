"""The fast generator of simulations: addresses as in RECORD.md, equal on every machine."""

from collections import Counter

import pytest

from royalcrypt.rules.chance import choose_sides, game_key, keyed_choice, mix, seed_key


def test_two_seeds_never_share_a_key() -> None:
    seeds = [*range(500), *(2**32 + n for n in range(500)), *(2**63 + n for n in range(500))]
    assert len({seed_key(seed) for seed in seeds}) == len(seeds)


def test_the_games_of_a_seed_differ() -> None:
    assert len({game_key(7, game) for game in range(1000)}) == 1000


def test_mixing_loses_nothing() -> None:
    assert len({mix(high, low) for high in range(50) for low in range(50)}) == 2500


def test_keys_are_the_same_on_every_machine_and_for_ever() -> None:
    """Simulations quote seeds: a change here changes the game of every one of them."""
    assert game_key(7, 3) == (2816957017, 3910868930)
    high, low = game_key(7, 0)
    assert [keyed_choice(high, low, index << 8, 6) for index in range(12)] == [
        3,
        3,
        1,
        5,
        1,
        4,
        3,
        1,
        0,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize("outcomes", [1, 2, 5, 6, 24, 48])
def test_outcomes_come_about_equally_often(outcomes: int) -> None:
    high, low = game_key(1, 2)
    draws = 600 * outcomes
    counts = Counter(keyed_choice(high, low, index << 8, outcomes) for index in range(draws))
    assert set(counts) == set(range(outcomes))
    assert all(450 < count < 750 for count in counts.values())


def test_words_that_would_favour_some_outcomes_are_drawn_again() -> None:
    """Of 3 * 2**30 outcomes every fourth word must be refused."""
    high, low = game_key(1, 2)
    outcomes = 3 * 2**30
    thirds = Counter(keyed_choice(high, low, index << 8, outcomes) % 3 for index in range(3000))
    assert all(880 < count < 1120 for count in thirds.values())
    assert all(0 <= keyed_choice(high, low, index << 8, outcomes) < outcomes for index in range(100))


def test_every_collector_set_up_comes_up_at_random() -> None:
    """R2.3."""
    found: set[tuple[int, ...]] = set()
    for game in range(1000):
        sides = [0] * 6
        choose_sides(sides, *game_key(1, game))
        assert set(sides) <= {0, 1}
        found.add(tuple(sides))
    assert len(found) == 64
