"""The oracle's own sanity: games end, nothing gets lost, and examples worked out by hand come out."""

import random
from collections import Counter

import pytest

from tests.oracle import scoring
from tests.oracle.cards import Card, deck
from tests.oracle.chance import choose
from tests.oracle.game import Illegal, Oracle
from tests.oracle.ghost import groups
from tests.oracle.perft import perft
from tests.oracle.table import Step


def play_at_random(oracle: Oracle, rng: random.Random) -> None:
    """One small step: chance, an any-time action of anybody, or a decision."""
    actor = oracle.actor
    if actor == "chance":
        oracle.apply("chance", rng.choice(oracle.outcomes()))
        return
    options = [(s, a) for s in range(oracle.seats) if s != actor for a in sorted(oracle.legal(s), key=str)]
    if options and rng.random() < 0.3:
        oracle.apply(*rng.choice(options))
    else:
        oracle.apply(actor, rng.choice(sorted(oracle.legal(), key=str)))


def deal(oracle: Oracle, *cards: str, top: str = "") -> None:
    for card in cards:
        oracle.apply("chance", ("card", card[0], int(card[1])))
    if oracle.unseen:
        oracle.apply("chance", ("top", top or oracle.unseen[0][0]))


def roll(oracle: Oracle, *faces: int) -> None:
    for face in faces:
        oracle.apply("chance", ("die", face))


def cards_in(oracle: Oracle) -> Counter[tuple[str, int]]:
    cards = [spot.card for spot in oracle.row if spot.card] + oracle.discards
    cards += [card for mine in oracle.collections for card in mine]
    return Counter(oracle.unseen) + Counter((card.type, card.value) for card in cards)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_random_games_end_and_nothing_gets_lost(players: int) -> None:
    rng = random.Random(players)
    for _ in range(40):
        sides = "".join(rng.choice("AB") for _ in range(6))
        oracle = Oracle(players, sides, leader=rng.randrange(max(2, players)))
        while oracle.actor != "over":
            play_at_random(oracle, rng)
            assert cards_in(oracle) == Counter(deck(players))
            facts = oracle.facts()
            for seat in range(oracle.seats):
                there = sum(spot.dice for spot in oracle.row if spot.card and spot.holder == seat)
                assert facts["ready"][seat] + facts["exhausted"][seat] + there == 3
            public, mine = oracle.beliefs("public"), oracle.beliefs(0)
            assert all(p >= m for t in public for p, m in zip(public[t], mine[t], strict=True))
        result = oracle.result()
        assert oracle.round == {1: 8, 2: 8, 3: 9, 4: 8}[players]
        assert result["scores"] == [scoring.score(parts) for parts in result["breakdown"]]
        assert [result["places"][seat] for seat in result["winners"]] == [1] * len(result["winners"])


def test_two_players_have_three_turns_and_the_last_is_for_one_card() -> None:
    oracle = Oracle(2)
    deal(oracle, "I4", "J3", "M2")
    assert len(oracle.legal()) == 3 * 3 * 6 + 1
    oracle.apply(0, ("place", 0, 1, 6))
    assert ("place", 0, 1, 6) not in oracle.legal()
    assert ("recover",) not in oracle.legal()
    oracle.apply(0, ("done",))
    assert ("place", 0, 1, 6) not in oracle.legal()
    oracle.apply(1, ("place", 0, 3, 3))  # pushes the leader out; no die left, so the turn is over
    assert oracle.actor == 0
    assert oracle.ready == [3, 0]
    oracle.apply(0, ("place", 1, 1, 2))
    assert oracle.actor == "chance"
    assert oracle.address() == ("die", 1, 0, 0)
    roll(oracle, 1, 3, 2, 3)
    oracle.apply(1, ("decline",))  # an Idol A re-roll, with the Idol just taken
    assert oracle.exhausted == [1, 1]
    assert oracle.discards[0].name == "M2"
    assert not oracle.discards[0].public
    assert (oracle.round, oracle.leader) == (2, 1)


def test_a_player_pushed_out_of_everything_rallies() -> None:
    oracle = Oracle(3)
    deal(oracle, "J4", "J3", "M2", "P1", top="J")
    oracle.apply(0, ("place", 0, 3, 6))
    oracle.apply(1, ("recover",))
    oracle.apply(2, ("recover",))
    roll(oracle, 1, 1, 6)
    assert oracle.exhausted == [2, 0, 0]
    deal(oracle, "J1", "T1", "M1", "P2", top="J")
    oracle.apply(1, ("recover",))
    oracle.apply(2, ("recover",))
    oracle.apply(0, ("place", 0, 1, 1))
    assert oracle.log[-2]["type"] == "roll"
    assert oracle.exhausted == [2, 0, 0]
    deal(oracle, "J2", "T2", "M3", "P3")
    oracle.apply(2, ("recover",))
    oracle.apply(0, ("place", 0, 1, 1))
    oracle.apply(1, ("place", 0, 1, 2))
    assert {"type": "rally", "seat": 0, "dice": 2}.items() <= oracle.log[-1].items()


def test_the_ghost_places_its_groups_and_later_only_what_was_pushed_off() -> None:
    assert groups([3, 6, 3]) == [(2, 3), (1, 6)]
    assert groups([2, 5, 1]) == [(1, 5), (1, 2), (1, 1)]
    oracle = Oracle(1, leader=1)
    deal(oracle, "J2", "I4", "M1")
    assert [spot.card and spot.card.name for spot in oracle.row] == ["I4", "M1", "J2"]
    assert oracle.address() == ("ghost", 1, 1, 0)
    roll(oracle, 3, 6, 3)
    assert [(spot.holder, spot.total) for spot in oracle.row] == [(1, 6), (1, 6), (None, 0)]
    oracle.apply(0, ("place", 0, 2, 4))
    oracle.apply(0, ("place", 2, 1, 5))
    assert oracle.facts()["ready"] == [0, 2]
    assert oracle.address() == ("ghost", 1, 1, 3)
    roll(oracle, 5, 4)  # the 5 fits nowhere (8, its own, 5); the 4 is not tried
    assert [spot.holder for spot in oracle.row] == [0, 1, 0]
    assert oracle.log[-1]["place"] == []
    roll(oracle, 3, 4, 5)
    assert oracle.exhausted == [1, 0]
    assert [c.name for c in oracle.collections[0]] == ["I4", "J2"]
    assert oracle.facts()["discards"] == [("M1", ())]
    assert oracle.ready == [2, 3]


def test_without_dice_pushed_off_the_ghost_has_no_last_turn() -> None:
    oracle = Oracle(1, leader=1)
    deal(oracle, "J2", "I4", "M1")
    roll(oracle, 3, 6, 3)
    oracle.apply(0, ("recover",))
    assert oracle.round == 2
    assert [e["type"] for e in oracle.log] == ["reveal", "ghost", "recover"]


def test_flips_are_spelled_upwards_and_spend_public_cards_first() -> None:
    oracle = Oracle(4, "AAABAA")
    deal(oracle, "I1", "J1", "M1", "R1", "P2", "T1")
    hidden, seen, high = Card("P", 2, knowers={0}), Card("P", 2, public=True), Card("P", 3, public=True)
    oracle.collections[0] = [hidden, seen, high]
    oracle.agenda.insert(0, Step("pottery", 0))
    assert oracle.legal() == {("take", 4), ("take", 5), ("decline",)}
    oracle.apply(0, ("take", 5))
    assert oracle.legal() == {("flip", 2)}
    assert oracle.legal(1) == set()
    oracle.apply(0, ("flip", 2))
    assert seen.flipped
    assert not hidden.flipped
    assert oracle.legal() == {("flip", 2), ("flip", 3)}
    oracle.apply(0, ("flip", 3))
    assert oracle.collections[0][-1].name == "T1"
    assert oracle.row[5].card is None
    assert oracle.actor == 0
    assert not {("place", 5, 1, 1), ("decline",)} & oracle.legal()


def test_any_time_actions_wait_for_a_claim_to_be_completed() -> None:
    oracle = Oracle(2, "AABAAA")
    deal(oracle, "I1", "J1", "P2")
    oracle.collections[1] = [Card("M", 3, public=True), Card("M", 4, public=True)]
    assert oracle.legal(1) == {("peek",)}
    oracle.apply(0, ("place", 0, 1, 1))
    assert oracle.legal(1) == set()
    oracle.apply(0, ("done",))
    oracle.apply(1, ("peek",))
    oracle.apply(1, ("flip", 4))
    assert oracle.row[2].card is not None
    assert oracle.row[2].card.knowers == {1}
    assert ("peek",) not in oracle.legal()
    assert oracle.beliefs("public")["P"] == (1, 1, 1, 1)
    assert oracle.beliefs(1)["P"] == (1, 0, 1, 1)


def test_a_failed_die_is_rolled_again_for_an_idol_just_taken() -> None:
    oracle = Oracle(2)
    deal(oracle, "I1", "J1", "P2")
    oracle.apply(0, ("place", 0, 3, 5))
    oracle.apply(1, ("recover",))
    oracle.apply(0, ("recover",))
    roll(oracle, 5, 4, 1)
    assert oracle.legal() == {("reroll", 0), ("decline",)}
    assert oracle.exhausted == [2, 0]
    oracle.apply(0, ("reroll", 0))
    oracle.apply(0, ("flip", 1))
    assert oracle.address() == ("die", 1, 0, 3)
    roll(oracle, 6)
    assert oracle.exhausted == [1, 0]
    assert oracle.round == 2


def at_the_end(ready: list[int], values: list[int]) -> Oracle:
    oracle = Oracle(len(ready), "ABABAB")
    oracle.unseen, oracle.ready, oracle.round = [], list(ready), 8
    oracle.exhausted = [3 - dice for dice in ready]
    oracle.collections = [[Card("I", value)] for value in values]
    oracle.agenda = [Step("score")]
    oracle.settle()
    return oracle


def test_a_three_way_tie_is_rolled_out_among_those_still_tied() -> None:
    oracle = at_the_end([2, 1, 3, 1], [2, 3, 1, 2])  # 4, 4, 4, 3
    assert oracle.address() == ("tie", 8, 0, 0)
    roll(oracle, 2, 3, 5)
    assert oracle.address() == ("tie", 8, 2, 0)
    roll(oracle, 1, 1, 1)
    assert oracle.address() == ("tie", 8, 0, 2)
    roll(oracle, 1, 1, 6)
    assert oracle.result()["winners"] == [1]
    assert oracle.result()["places"] == [2, 1, 2, 4]
    assert [e["rolled"] for e in oracle.log if e["type"] == "tiebreak"] == [
        {"0": [2, 3], "1": [5], "2": [1, 1, 1]},
        {"0": [1, 1], "1": [6]},
    ]


def test_tied_players_without_dice_share_the_win() -> None:
    assert at_the_end([0, 0, 0], [4, 4, 1]).result()["places"] == [1, 1, 3]


def test_collectors_pay_what_the_cards_say() -> None:
    mine = [Card(t, v) for t, v in [("I", 1), ("I", 2), ("J", 3), ("J", 4), ("M", 1), ("M", 2), ("T", 4)]]
    mine += [Card("P", v) for v in (1, 2, 3)] + [Card("R", v) for v in (1, 2, 3, 4)]
    yours = [Card("T", 1), Card("T", 2), Card("T", 1), Card("I", 4), Card("I", 4)]
    a = scoring.breakdown(0, [mine, yours], dict.fromkeys("IJMPRT", "A"), set(), 2)
    b = scoring.breakdown(0, [mine, yours], dict.fromkeys("IJMPRT", "B"), {1}, 2)
    assert list(a["collectors"].values()) == [0, 4, 5, 4, 0, 5]
    assert list(b["collectors"].values()) == [2, 2, 0, 0, 10, 0]
    theirs = scoring.breakdown(1, [mine, yours], dict.fromkeys("IJMPRT", "B"), {1}, 3)
    assert theirs["collectors"] == {
        "idol": 5, "jewelry": 0, "manuscript": 0, "pottery": 0, "remains": 0, "tapestry": 7
    }  # fmt: skip
    assert a["treasure"] == 33
    assert scoring.score(theirs) == 12 + 12 + 3
    assert list(map(scoring.title, (29, 39, 49, 50))) == ["fool", "petty", "affluent", "magnificent"]


def test_the_first_to_two_idols_flip_those_known_to_all_first() -> None:
    oracle = Oracle(2, "BAAAAA")
    deal(oracle, "J1", "J2", "I3")
    oracle.collections = [[Card("I", 1, knowers={0}), Card("I", 2, public=True)], [Card("I", 4, public=True)]]
    oracle.apply(0, ("recover",))
    oracle.apply(1, ("place", 2, 1, 1))
    oracle.apply(1, ("done",))
    oracle.apply(0, ("recover",))
    assert oracle.log[-1]["flips"] == {"0": ["I2", "I1"], "1": ["I4", "I3"]}
    assert oracle.first_idols == {0, 1}


def test_perft_counts_lines_and_illegal_actions_are_refused() -> None:
    oracle = Oracle(2)
    secret, entropy = bytes(32), ["a", "b"]
    assert perft(oracle, 1, secret, entropy) == 55
    going_on = sum((2 - slot) * (3 - dice) * 6 + 1 for slot in range(3) for dice in (1, 2) for _ in range(6))
    higher = [sum(n * f > 3 * effort for n in (1, 2, 3) for f in range(1, 7)) for effort in range(1, 7)]
    all_three = 3 * sum(2 * 18 + more + 1 for more in higher)  # on any of three slots; then the opponent
    assert perft(oracle, 2, secret, entropy) == going_on + all_three + 55
    assert choose(secret, entropy, ("die", 1, 0, 0), 6) in range(6)
    with pytest.raises(Illegal):
        oracle.apply(0, ("recover",))
