"""Ratings and their intervals, on results whose truth is known."""

import random
from collections.abc import Callable, Sequence
from math import log10

import pytest

from royalcrypt.lab import standings
from royalcrypt.lab.standings import FEWEST_DEALS, BotStanding, Standings
from royalcrypt.lab.tournament import Tournament, TournamentGame, TournamentPlan
from royalcrypt.lab.worker_pools import SerialPool

STRENGTHS = {"weak": 1.0, "middling": 2.0, "strong": 6.0}
BOTS = tuple(STRENGTHS)
TWIN = "tests.lab.entrants:Twin"


def planted(plan: TournamentPlan, result: Callable[[Sequence[str]], Sequence[int]]) -> Tournament:
    """A tournament in which ``result`` tells the scores by seat."""
    games: list[TournamentGame] = []
    for number in range(plan.games):
        bots = plan.seating_of(number)
        scores = tuple(result(bots))
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        games.append(TournamentGame(number, bots, scores, winners))
    return Tournament(plan, games)


def by_strength(chance: random.Random) -> Callable[[Sequence[str]], Sequence[int]]:
    """Each as likely to come before another as its strength says (Plackett and Luce)."""

    def scores(bots: Sequence[str]) -> list[int]:
        arrivals = [chance.expovariate(STRENGTHS[bot]) for bot in bots]
        return [sum(other > arrival for other in arrivals) for arrival in arrivals]

    return scores


def by_name(found: Standings) -> dict[str, BotStanding]:
    return {one.bot: one for one in found.table}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_strengths_that_results_came_from_are_found(players: int) -> None:
    found = Standings(planted(TournamentPlan(BOTS, players, deals=600), by_strength(random.Random(players))))
    assert [one.bot for one in found.table] == ["strong", "middling", "weak"]
    rated = by_name(found)
    for one, other in (("weak", "middling"), ("middling", "strong")):
        distance = 400 * log10(STRENGTHS[other] / STRENGTHS[one])
        assert rated[other].rating - rated[one].rating == pytest.approx(distance, abs=20)


def test_about_95_in_100_intervals_hold_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "DRAWS", 200)
    truth = {bot: 400 * log10(strength) for bot, strength in STRENGTHS.items()}
    mean = sum(truth.values()) / len(truth)
    held, widths = 0, list[float]()
    for seed in range(60):
        tournament = planted(TournamentPlan(BOTS, 2, deals=40, seed=seed), by_strength(random.Random(seed)))
        for one in Standings(tournament).table:
            assert one.low is not None
            assert one.high is not None
            assert one.low <= one.rating <= one.high
            held += one.low <= standings.MEAN + truth[one.bot] - mean <= one.high
            widths.append(one.high - one.low)
    assert 0.88 <= held / len(widths) <= 0.99
    assert 40 < sum(widths) / len(widths) < 160


def test_more_deals_make_intervals_narrower() -> None:
    def width(deals: int) -> float:
        one = Standings(planted(TournamentPlan(BOTS, 2, deals), by_strength(random.Random(1)))).table[0]
        assert one.low is not None
        assert one.high is not None
        return one.high - one.low

    assert width(400) < 0.75 * width(100) < width(100)


def test_a_bot_and_its_twin_have_the_same_rating() -> None:
    """The same cards and dice, from both seats: between them nothing is left to luck."""
    tournament = Tournament(TournamentPlan(("greedy", TWIN, "random"), 2, deals=FEWEST_DEALS, seed=3))
    tournament.play(SerialPool())
    found = Standings(tournament)
    rated = by_name(found)
    assert found.head_to_head["greedy"][TWIN].share == 0.5
    assert rated["greedy"].rating == pytest.approx(rated[TWIN].rating)
    low, high = rated[TWIN].low, rated[TWIN].high
    assert low is not None
    assert high is not None
    assert low <= rated["greedy"].rating <= high
    assert rated["random"].rating == 1000


def test_whoever_won_every_game_is_not_known_exactly() -> None:
    def always(bots: Sequence[str]) -> list[int]:
        return [BOTS.index(bot) for bot in bots]

    for one in Standings(planted(TournamentPlan(BOTS, 2, deals=50), always)).table[::2]:
        assert one.low is not None
        assert one.high is not None
        assert one.high - one.low > 30


def test_few_deals_give_ratings_without_intervals() -> None:
    found = Standings(planted(TournamentPlan(BOTS, 2, FEWEST_DEALS - 1), by_strength(random.Random(1))))
    assert {(one.low, one.high) for one in found.table} == {(None, None)}


def test_a_deal_that_is_not_whole_does_not_count() -> None:
    whole = planted(TournamentPlan(BOTS, 2, 20), by_strength(random.Random(1)))
    cut = Tournament(whole.plan, whole.games[: 12 * 6 + 5])
    found = Standings(cut)
    assert (found.deals, len(found.games)) == (12, 72)
    assert found.to_dict()["plan"]["deals"] == 12
    assert Standings(Tournament(whole.plan, whole.games[:72])).to_dict() == found.to_dict()


def test_shares_scores_and_seats_are_counted() -> None:
    def result(bots: Sequence[str]) -> list[int]:
        return [{"weak": 10, "middling": 20, "strong": 30}[bot] for bot in bots]

    found = Standings(planted(TournamentPlan(BOTS, 4, deals=2), result))
    rated = by_name(found)
    assert [rated[bot].score for bot in BOTS] == [10, 20, 30]
    assert {one.games for one in found.table} == {2 * 36 * 4 / 3}
    assert sum(one.win_share * one.games for one in found.table) == pytest.approx(2 * 36)
    assert found.head_to_head["weak"]["strong"].share == 0
    assert found.head_to_head["strong"]["weak"].share == 1
    assert found.head_to_head["strong"]["weak"].games == 2 * 60


def test_the_table_comes_as_a_data_frame() -> None:
    found = Standings(planted(TournamentPlan(BOTS, 2, 10), by_strength(random.Random(1))))
    frame = found.to_frame()
    assert list(frame.index) == [one.bot for one in found.table]
    assert frame.loc["strong", "rating"] == by_name(found)["strong"].rating
