"""Ratings explain who beat whom."""

from math import log10

import pytest

from royalcrypt.bots import ratings
from royalcrypt.bots.ratings import Match, TableRatings
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.rating import (
    add_match,
    command_for,
    fit_ratings,
    match_setting,
    pairings,
    play_match,
    play_solo,
    solo_setting,
    whole_deals,
)
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.worker_pools import SerialPool


def match(one: str, other: str, games: int, wins: float) -> Match:
    return Match((one, other), games, wins, "2026-01-01", "")


def test_ten_wins_for_each_loss_are_400_points() -> None:
    found = fit_ratings([match("strong", "random", 11_000, 10_000)])
    assert found["random"] == pytest.approx(1000)
    assert found["strong"] == pytest.approx(1400, abs=1)


def test_the_fit_finds_the_strengths_that_the_wins_came_from() -> None:
    strengths = {"random": 1.0, "a": 3.0, "b": 20.0, "c": 70.0}
    matches = [
        match(one, other, 10**6, 10**6 * strengths[one] / (strengths[one] + strengths[other]))
        for one, other in pairings(strengths, strengths)
    ]
    found = fit_ratings(matches)
    assert list(found) == ["random", "a", "b", "c"], "the weakest first"
    for name, strength in strengths.items():
        assert found[name] == pytest.approx(1000 + 400 * log10(strength), abs=0.1)


def test_no_other_ratings_are_likelier() -> None:
    """Where three beat each other in a way that no ratings can explain exactly."""
    matches = [match("random", "a", 10, 4), match("a", "b", 10, 3), match("b", "random", 10, 2)]
    found = fit_ratings(matches)

    def log_likelihood(rated: dict[str, float]) -> float:
        total = 0.0
        for one, other, wins in ((m.bots[0], m.bots[1], m.wins) for m in matches):
            share = 1 / (1 + 10 ** ((rated[other] - rated[one]) / 400))
            total += (wins + 0.5) * log10(share) + (10.5 - wins) * log10(1 - share)
        return total

    best = log_likelihood(found)
    for name in ("a", "b"):
        for step in (-3.0, 3.0):
            assert log_likelihood(found | {name: found[name] + step}) < best


def test_a_clean_sweep_still_has_a_rating() -> None:
    assert 1800 < fit_ratings([match("random", "strong", 200, 0)])["strong"] < 2200


def test_a_bot_without_connection_to_the_anchor_has_no_rating() -> None:
    matches = [match("random", "a", 10, 4), match("x", "y", 10, 4), match("a", "b", 10, 4)]
    assert set(fit_ratings(matches)) == {"random", "a", "b"}
    assert fit_ratings([match("x", "y", 10, 4)]) == {}


def test_a_new_match_takes_the_place_of_the_old_one() -> None:
    rivalry = TableRatings()
    for found in (match("random", "a", 10, 9), match("a", "b", 10, 5), match("a", "random", 100, 90)):
        add_match(rivalry, found)
    assert [(met.bots, met.games) for met in rivalry.matches] == [(("a", "b"), 10), (("a", "random"), 100)]
    assert rivalry.ratings["a"].games == 110
    assert rivalry.ratings["a"].rating > 1300


def test_pairs_without_anybody_to_measure_do_not_play() -> None:
    assert pairings("abc", "abc") == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairings("abc", "b") == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize("players", [2, 4])
def test_a_match_is_played_from_every_seat_and_can_be_repeated_by_its_command(players: int) -> None:
    games, seen = whole_deals(3, players), list[int]()
    setting = match_setting("novice", "random", players)
    outcomes = list(simulate(setting, games, plain_backend()))
    for seat in range(players):
        assert {outcome.bots[seat] for outcome in outcomes} == {"novice", "random"}
    found = play_match(("novice", "random"), players, games, date="d", pool=SerialPool(), advance=seen.append)
    won = sum(
        (outcome.bots[seat] == "novice") / len(outcome.winners)
        for outcome in outcomes
        for seat in outcome.winners
    )
    assert (found.games, found.wins, len(seen)) == (games, pytest.approx(won), games)
    bots = {2: "novice,random", 4: "novice,novice,random,random"}[players]
    assert found.command == command_for(setting, games)
    assert found.command == (
        f"royalcrypt simulate --players {players} --bots {bots} --games {games} "
        "--collectors random --seed 2026 --swap"
    )


def test_alone_the_mean_score_counts() -> None:
    scores = [outcome.scores[0] for outcome in simulate(solo_setting("novice"), 5, plain_backend())]
    found = play_solo("novice", 5, date="d", pool=SerialPool(), advance=lambda _: None)
    assert found.score == pytest.approx(sum(scores) / 5)
    assert found.command.endswith("--players 1 --bots novice --games 5 --collectors AAAAAA --seed 2026")


def test_the_ratings_that_come_with_the_package_follow_from_its_matches() -> None:
    found = ratings.load_ratings(ratings.FILE)
    for rivalry in (found.two, found.four):
        assert rivalry.matches
        fitted = {name: round(rating) for name, rating in fit_ratings(rivalry.matches).items()}
        assert {name: rated.rating for name, rated in rivalry.ratings.items()} == fitted
        assert fitted["random"] == 1000 < fitted["novice"] < fitted["greedy"]
    assert found.solo["random"].score < found.solo["novice"].score < found.solo["greedy"].score
