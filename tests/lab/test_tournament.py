"""Every line-up meets the same deals in every seating, whoever plays, and however often one stops."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import permutations
from math import comb, factorial
from pathlib import Path

import pytest

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.tables import deal, play_game
from royalcrypt.lab.tournament import Tournament, TournamentGame, TournamentPlan, line_ups
from royalcrypt.lab.worker_pools import SerialPool, worker_pool
from royalcrypt.notation.reasons import Reason, Refusal

PLAN = TournamentPlan(("random", "novice", "greedy"), players=2, deals=4, seed=5)


def played(plan: TournamentPlan) -> Tournament:
    tournament = Tournament(plan)
    tournament.play(SerialPool())
    return tournament


@pytest.fixture(scope="module")
def whole() -> Tournament:
    return played(PLAN)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", ["abcd", "abcde"])
def test_every_choice_of_bots_sits_in_every_order(bots: str, players: int) -> None:
    seatings = TournamentPlan(tuple(bots), players).seatings
    assert set(seatings) == set(permutations(bots, players))
    assert len(seatings) == comb(len(bots), players) * factorial(players)


@pytest.mark.parametrize(
    ("bots", "players", "expected"),
    [
        ("ab", 4, {"aabb": 6}),
        ("ab", 3, {"aab": 3, "abb": 3}),
        ("abc", 4, {"aabc": 12, "abbc": 12, "abcc": 12}),
    ],
    ids=["two-of-four", "two-of-three", "three-of-four"],
)
def test_where_seats_are_left_they_are_shared_out_evenly(
    bots: str, players: int, expected: dict[str, int]
) -> None:
    assert ["".join(line_up) for line_up in line_ups(bots, players)] == list(expected)
    seatings = TournamentPlan(tuple(bots), players).seatings
    assert Counter("".join(sorted(seating)) for seating in seatings) == expected
    assert len(set(seatings)) == len(seatings)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_bot_sits_equally_often_in_each_seat_of_a_deal(players: int) -> None:
    plan = TournamentPlan(("a", "b", "c"), players)
    for seat in range(players):
        assert len(set(Counter(seating[seat] for seating in plan.seatings).values())) == 1


def test_all_games_of_a_deal_meet_the_same_cards_and_dice() -> None:
    plan = TournamentPlan(("random", "novice", "greedy"), players=3, deals=2, seed=9)
    rows: dict[tuple[int, int], set[tuple[str, ...]]] = defaultdict(set)
    for game in range(plan.games):
        setting, number = plan.setting(game), plan.deal_of(game)
        dealt, first = (deal(plan.setting(one), number) for one in (game, number * len(plan.seatings)))
        assert (dealt.chance, dealt.sides, dealt.leader) == (first.chance, first.sides, first.leader)
        assert dealt.bots == setting.bots == plan.seating_of(game)
        line = play_game(setting, number, plain_backend(), is_recorded=True).line
        for event in json.loads(line or "")["events"]:
            if event["type"] == "reveal":
                rows[number, event["round"]].add(tuple(event["row"]))
    assert all(len(found) == 1 for found in rows.values()), "whatever was decided between"
    assert rows[0, 1] != rows[1, 1]


def test_the_games_are_those_of_simulate(whole: Tournament) -> None:
    assert [game.number for game in whole.games] == list(range(PLAN.games))
    for game in whole.games[::5]:
        outcome = play_game(
            PLAN.setting(game.number), PLAN.deal_of(game.number), plain_backend(), is_recorded=False
        )
        assert (game.bots, game.scores, game.winners) == (outcome.bots, outcome.scores, outcome.winners)


def test_several_processes_play_the_same_games(whole: Tournament) -> None:
    spread = Tournament(PLAN)
    with worker_pool(2) as crew:
        spread.play(crew)
    assert spread == whole


def test_winners_are_first_and_equal_scores_below_share_a_place() -> None:
    game = TournamentGame(0, ("a", "b", "c", "d"), (30, 30, 20, 20), (1,))
    assert [game.points(1, 0), game.points(0, 1)] == [1, 0], "the tie was broken"
    assert [game.points(0, 2), game.points(2, 3)] == [1, 0.5]
    shared = TournamentGame(0, ("a", "b"), (30, 30), (0, 1))
    assert shared.points(0, 1) == 0.5


class Stop(Exception):  # noqa: N818 (it is no error)
    """Somebody pulls the plug."""


def test_whoever_is_interrupted_goes_on_as_if_nothing_had_been(whole: Tournament, tmp_path: Path) -> None:
    never, often = tmp_path / "never", tmp_path / "often"
    whole.save(never)
    Tournament(PLAN).save(often)

    def keep_and_stop(games: list[TournamentGame]) -> None:
        Tournament.append(games, often)
        raise Stop

    begun, tries = Tournament.load(often), 0
    while len(begun.games) < PLAN.games:
        begun.save(often)
        with pytest.raises(Stop):
            begun.play(SerialPool(), keep_and_stop)
        with often.open("ab") as file:
            file.write(b'{"number":99,"bots":["ra')  # the next line was cut off
        begun, tries = Tournament.load(often), tries + 1
    begun.save(often)
    assert tries > 3
    assert begun == whole
    assert often.read_bytes() == never.read_bytes()


def test_more_deals_can_be_played_later_or_fewer_looked_at(whole: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    whole.save(file)
    more = replace(PLAN, deals=5)
    longer = Tournament.load(file).with_plan(more)
    longer.play(SerialPool())
    assert longer == played(more)
    fewer = replace(PLAN, deals=2)
    assert Tournament.load(file).with_plan(fewer) == played(fewer)


PLANNED = '"players":2,"deals":9,"seed":0,"collectors":null,"simulations":1000,"milliseconds":null'


def damaged(line: int, old: str, new: str) -> str:
    lines = [
        f'{{"tournament":1,"plan":{{"bots":["a","b"],{PLANNED}}}}}',
        '{"number":0,"bots":["a","b"],"scores":[20,29],"winners":[1]}',
        '{"number":1,"bots":["b","a"],"scores":[20,29],"winners":[1]}',
        "",
    ]
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new)
    return "\n".join(lines)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not a tournament\n",
        '{"games": 3}\n',
        damaged(0, '"tournament":1', '"tournament":2'),
        damaged(0, '["a","b"]', '["a"]'),
        damaged(0, '["a","b"]', '["a","a"]'),
        damaged(0, '"players":2', '"players":5'),
        damaged(0, '"deals":9', '"deals":"many"'),
        damaged(0, '"collectors":null', '"collectors":"XYZ"'),
        damaged(1, '"number":0', '"number":1'),
        damaged(2, '["b","a"]', '["a","b"]'),
        damaged(2, "[20,29]", "[20]"),
        damaged(2, "[1]", "[2]"),
        damaged(2, "[1]", "[]"),
        damaged(1, "{", "["),
    ],
)
def test_what_is_no_tournament_is_refused(content: str, tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Refusal) as refused:
        Tournament.load(file)
    assert refused.value.reason is Reason.NOT_A_TOURNAMENT
    (tmp_path / "whole").write_text(damaged(0, "plan", "plan"), encoding="utf-8")
    assert len(Tournament.load(tmp_path / "whole").games) == 2


def test_games_come_as_a_data_frame(whole: Tournament) -> None:
    frame = whole.to_frame()
    assert len(frame) == 2 * PLAN.games
    assert frame.groupby("game")["win"].sum().tolist() == pytest.approx([1] * PLAN.games)
    assert set(frame["bot"]) == set(PLAN.bots)
