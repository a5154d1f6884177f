"""A finished game can be recomputed from its secret; what chance did not bring is found and located."""

import copy
import hmac
import json
import random
from collections import Counter
from functools import cache
from hashlib import sha256
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from royalcrypt import Game, Record, Refusal
from royalcrypt.bots import Budget, bot_named
from royalcrypt.locales import catalogue
from royalcrypt.notation.reasons import HEAD
from royalcrypt.play.chance import Address, Chance, CommittedChance, SeededChance, address_of
from royalcrypt.play.fairness import FairnessReport, Finding, verify
from royalcrypt.rules.chance import Purpose, list_outcomes
from royalcrypt.rules.layout import State, no_options
from tests.oracle.chance import choose

Json = dict[str, Any]
SIDES = ("AAAAAA", "BBBBBB", "ABABAB", "BABABA")
PURPOSES = ("card", "top", "die", "ghost", "tie")


class Cheat(CommittedChance):
    """Publishes a secret, but lets another outcome come at one address; the game goes on from there."""

    address: Address = ("", 0, 0, 0)

    def outcome(self, state: State) -> int:
        due = super().outcome(state)
        if address_of(state) != self.address:
            return due
        options = no_options()
        possible = [options.codes[index] for index in range(list_outcomes(state, options))]
        return next(outcome for outcome in possible if outcome != due)


def played(players: int, chance: Chance, number: int) -> Game:
    game = Game.new(players=players, collectors=SIDES[number % 4], chance=chance)
    while not game.is_over:
        assert game.actor is not None
        budget = Budget(seed=number * 1000 + len(game.moves))
        game.play(bot_named("random").choose(game.view(game.actor), budget))
    return game


def secret(number: int) -> bytes:
    return sha256(str(number).encode()).digest()


def entropy(players: int) -> tuple[str, ...]:
    return tuple(f"entropy{seat}" for seat in range(players))


@cache
def fair(players: int, number: int) -> str:
    return played(players, CommittedChance(secret(number), entropy(players)), number).record().to_json()


def loaded(players: int, number: int) -> Json:
    return json.loads(fair(players, number))


def judged(record: Json) -> FairnessReport:
    return verify(Record.parse(record))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("number", range(8))
def test_a_game_of_chance_is_fair(players: int, number: int) -> None:
    verdict = judged(loaded(players, number))
    assert verdict == FairnessReport(Finding.FAIR)
    assert verdict.is_good
    assert str(verdict).startswith("fair: ")


def test_without_the_optional_top_card_it_is_fair_too() -> None:
    for players in (1, 2, 4):
        record = loaded(players, 0)
        for event in record["events"]:
            event.pop("top", None)
        assert judged(record).finding is Finding.FAIR


# Somebody else's check, written from RECORD.md alone.


def x_of(record: Json, *address: object) -> int:
    fairness = record["fairness"]
    message = "|".join([",".join(fairness["entropy"]), *map(str, address)])
    return int(hmac.new(bytes.fromhex(fairness["seed"]), message.encode(), "sha256").hexdigest()[:8], 16)


def one_of(outcomes: list[Any], record: Json, *address: object) -> Any:
    attempt = 0
    while (x := x_of(record, *address, attempt)) >= len(outcomes) * (2**32 // len(outcomes)):
        attempt += 1
    return outcomes[x % len(outcomes)]


def recomputed(record: Json) -> list[tuple[Any, Any]]:
    """What the record says and what its secret gives, card by card and die by die."""
    players = record["game"]["players"]
    copies = {1: "1111", 2: "1111", 3: "1221", 4: "2222"}[players]
    unseen = [f"{t}{v}" for t in "IJMPRT" for v in (1, 2, 3, 4) for _ in range(int(copies[v - 1]))]
    found: list[tuple[Any, Any]] = []
    index: Counter[Any] = Counter()
    turn, top = 0, ""
    for event in record["events"]:
        if event["type"] == "reveal":
            turn = event["round"]
            row: list[str] = []
            for place in range(len(event["row"])):
                row.append(one_of([c for c in unseen if c.startswith(top)], record, "card", turn, 0, place))
                unseen.remove(row[-1])
                top = ""
            if players == 1:
                row = [row[i] for i in sorted(range(3), key=lambda i: -2.5 if i == 2 else -int(row[i][1]))]
            found.append((event["row"], row))
            top = one_of(unseen, record, "top", turn, 0, 0)[0] if unseen else ""
            found.append((event["top"] or "", top))
        rolls: dict[str, list[tuple[str, Any, list[int]]]] = {
            "roll": [("die", event.get("seat"), event.get("rolled", []))],
            "reroll": [("die", event.get("seat"), [event.get("rolled")])],
            "ghost": [("ghost", 1, event.get("rolled", []))],
        }
        rolls["tiebreak"] = (
            [("tie", *each) for each in event["rolled"].items()] if event["type"] == "tiebreak" else []
        )
        for purpose, seat, faces in rolls.get(event["type"], []):
            for face in faces:
                address = (purpose, turn, seat)
                found.append((face, one_of([1, 2, 3, 4, 5, 6], record, *address, index[address])))
                index[address] += 1
    return found


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("number", range(8))
def test_anybody_can_recompute_a_game(players: int, number: int) -> None:
    record = loaded(players, number)
    assert sha256(bytes.fromhex(record["fairness"]["seed"])).hexdigest() == record["fairness"]["commitment"]
    for said, due in recomputed(record):
        assert said == due


def test_the_games_recomputed_hold_every_kind_of_chance() -> None:
    kinds = {
        event["type"] for players in (1, 2, 3, 4) for n in range(8) for event in loaded(players, n)["events"]
    }
    assert {"reveal", "roll", "reroll", "ghost"} <= kinds
    assert tied() in [(players, number) for players in (2, 3, 4) for number in range(100)]


@cache
def tied() -> tuple[int, int]:
    """Players and number of a game with a tie-break in which dice were rolled."""
    for number in range(100):
        for players in (2, 3, 4):
            events = loaded(players, number)["events"]
            if any(event["type"] == "tiebreak" and any(event["rolled"].values()) for event in events):
                return players, number
    raise AssertionError


@pytest.mark.parametrize("outcomes", [1, 6, 48, 2**31 + 1, 3 * 2**30 + 1])
def test_words_that_would_favour_some_outcomes_are_drawn_again(outcomes: int) -> None:
    for index in range(20):
        address = ("die", 3, 1, index)
        due = choose(secret(1), entropy(2), address, outcomes)
        assert CommittedChance(secret(1), entropy(2)).choose(("die", 3, 1, index), outcomes) == due
    assert "secret" not in repr(CommittedChance(secret(1)))


# Planted unfairness.


def addresses(record: Json, purpose: str) -> list[tuple[Address, int, int]]:
    """Where outcomes of a purpose stand: address, event, and number within the event."""
    found: list[tuple[Address, int, int]] = []
    index: Counter[Any] = Counter()
    turn = 0
    for n, event in enumerate(record["events"]):
        faces: list[tuple[int, int]] = []
        if event["type"] == "reveal":
            turn = event["round"]
            faces = [(0, len(event["row"]))] if purpose == "card" else []
            faces += [(0, 1)] if purpose == "top" and event["top"] else []
        if event["type"] in ("roll", "reroll") and purpose == "die":
            faces = [(event["seat"], len(event["rolled"]) if event["type"] == "roll" else 1)]
        if event["type"] == "ghost" and purpose == "ghost":
            faces = [(1, len(event["rolled"]))]
        if event["type"] == "tiebreak" and purpose == "tie":
            faces = [(int(seat), len(rolled)) for seat, rolled in event["rolled"].items()]
        for seat, count in faces:
            for number in range(count):
                found.append(((purpose, turn, seat, index[turn, seat]), n, number))
                index[turn, seat] += 1
    return found


def is_open(address: Address) -> bool:
    """Towards the end of the deck, there may be a single card that can come."""
    return address[0] not in ("card", "top") or address[1] <= 4


@pytest.mark.parametrize("purpose", PURPOSES)
def test_an_outcome_that_chance_did_not_bring_is_found_and_located(purpose: str) -> None:
    """The game goes on with it by the rules, so that nothing else in the record is wrong."""
    players, number = {"ghost": (1, 0), "tie": tied()}.get(purpose, (3, 2))
    places = [place for place in addresses(loaded(players, number), purpose) if is_open(place[0])]
    assert places
    for address, n, place in places[:: max(1, len(places) // 8)]:
        chance = Cheat(secret(number), entropy(players))
        object.__setattr__(chance, "address", address)
        verdict = verify(played(players, chance, number).record())
        assert verdict.finding is Finding.UNFAIR
        assert not verdict.is_good
        found = verdict.difference
        assert found is not None
        assert (found.n, found.what, found.round, found.seat) == (n, purpose, address[1], address[2])
        assert found.number == (0 if purpose == "top" else place + 1)
        assert found.recorded != found.due
        assert str(verdict).startswith(f"unfair: event {n}")
        assert found.recorded in str(verdict)
        assert found.due in str(verdict)


def test_alone_a_changed_card_is_found_in_its_place_of_the_row() -> None:
    for address, n, _ in addresses(loaded(1, 1), "card"):
        if not is_open(address):
            continue
        chance = Cheat(secret(1), entropy(1))
        object.__setattr__(chance, "address", address)
        found = verify(played(1, chance, 1).record()).difference
        assert found is not None
        assert (found.n, found.what) == (n, "card")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_any_die_or_card_changed_in_the_record_alone_is_located(players: int) -> None:
    """What follows no longer follows from it, but that is not where the record was changed."""
    original = loaded(players, 0)
    for n, event in enumerate(original["events"]):
        record = copy.deepcopy(original)
        changed = record["events"][n]
        if event["type"] == "reveal":
            letter, value = event["row"][-1]
            changed["row"][-1] = letter + str(int(value) % 4 + 1)
        elif event["type"] in ("roll", "ghost") and event["rolled"]:
            changed["rolled"][-1] = changed["rolled"][-1] % 6 + 1
        elif event["type"] == "reroll":
            changed["rolled"] = changed["rolled"] % 6 + 1
        else:
            continue
        verdict = judged(record)
        assert verdict.finding is Finding.UNFAIR
        assert verdict.difference is not None
        assert verdict.difference.n == n


def test_a_secret_that_was_not_committed_to_is_found() -> None:
    other = secret(99)
    record = loaded(2, 0)
    commitment = record["fairness"]["commitment"]
    record["fairness"]["seed"] = other.hex()
    verdict = judged(record)
    assert verdict.finding is Finding.UNFAIR
    assert verdict.difference is not None
    assert (verdict.difference.n, verdict.difference.what) == (HEAD, "commitment")
    assert (verdict.difference.recorded, verdict.difference.due) == (commitment, sha256(other).hexdigest())
    assert commitment in str(verdict)


def test_a_changed_commitment_is_found() -> None:
    record = loaded(2, 0)
    record["fairness"]["commitment"] = "00" + record["fairness"]["commitment"][2:]
    difference = judged(record).difference
    assert difference is not None
    assert difference.what == "commitment"


def test_a_secret_changed_together_with_its_commitment_is_found_at_the_first_card() -> None:
    record = loaded(4, 0)
    record["fairness"] |= {"seed": secret(99).hex(), "commitment": sha256(secret(99)).hexdigest()}
    difference = judged(record).difference
    assert difference is not None
    assert (difference.n, difference.what) == (0, "card")


@pytest.mark.parametrize("changed", [[], ["entropy0"], ["entropy1", "entropy0"], ["Entropy0", "entropy1"]])
def test_changed_entropy_is_found(changed: list[str]) -> None:
    record = loaded(2, 0)
    record["fairness"]["entropy"] = changed
    difference = judged(record).difference
    assert difference is not None
    assert (difference.n, difference.what) == (0, "card")


def test_what_broke_a_rule_before_is_what_is_wrong() -> None:
    record = loaded(2, 0)
    claim = next(event for event in record["events"] if event["type"] == "claim")
    claim["place"][0]["effort"] = 9
    roll = next(event for event in reversed(record["events"]) if event["type"] == "roll" and event["rolled"])
    roll["rolled"][0] = roll["rolled"][0] % 6 + 1
    verdict = judged(record)
    assert verdict.finding is Finding.BROKEN
    assert f"Event {claim['n']} breaks a rule" in str(verdict)


def test_more_cards_than_there_are_break_the_rules() -> None:
    record = loaded(2, 0)
    last = max(n for n, event in enumerate(record["events"]) if event["type"] == "reveal")
    again = record["events"][: last + 1] + [record["events"][last]] * 2
    record["events"] = [event | {"n": n} for n, event in enumerate(again)]
    assert judged(record).finding is Finding.BROKEN


# Records that prove less, or nothing.


def test_a_simulation_is_as_its_seed_brings_it() -> None:
    for players in (1, 2, 3, 4):
        verdict = verify(played(players, SeededChance(7, 3), 0).record())
        assert verdict == FairnessReport(Finding.SEEDED, seed=7)
        assert verdict.is_good
        assert "its seed 7" in str(verdict)


def test_a_simulation_that_was_changed_is_found() -> None:
    record = played(2, SeededChance(7, 3), 0).record().to_dict()
    for name in ("seed", "game"):
        changed = record | {"chance": record["chance"] | {name: 8}}
        assert judged(changed).finding is Finding.UNFAIR


@pytest.mark.parametrize("chance", [None, {"generator": "dice", "seed": 7, "game": 3}])
def test_a_record_that_does_not_say_where_chance_came_from_proves_nothing(chance: Any) -> None:
    record = played(2, SeededChance(7, 3), 0).record().to_dict()
    del record["chance"]
    if chance:
        record["chance"] = chance
    verdict = judged(record)
    assert verdict.finding is Finding.UNPROVEN
    assert not verdict.is_good


def test_a_finished_record_without_its_secret_proves_nothing() -> None:
    record = loaded(2, 0)
    del record["fairness"]["seed"]
    assert judged(record).finding is Finding.UNPROVEN


def test_a_running_game_cannot_be_verified_yet() -> None:
    game = Game.new(players=2)
    assert verify(game.record()).finding is Finding.UNFINISHED
    assert verify(game.record_for(0)).finding is Finding.VIEWERS
    assert "not over" in str(verify(game.record()))
    assert "one viewer's" in str(verify(game.record_for(None)))
    assert verify(Game.new(players=2, seed=3).record()).finding is Finding.UNFINISHED


def test_a_broken_record_says_why() -> None:
    record = loaded(2, 0)
    record["result"]["scores"][0] += 1
    assert "The result should be" in str(judged(record))
    del record["result"]
    assert "the record has no result" in str(judged(record))
    record = loaded(2, 0)
    record["events"][0]["row"][2] = "P?"
    assert "hides a value" in str(judged(record))


@pytest.mark.parametrize(
    "fairness",
    [
        7,
        [],
        "seed",
        {"seed": 7},
        {"seed": "no hex"},
        {"seed": "00"},
        {"seed": "00", "commitment": None, "entropy": [1]},
        {"seed": "00", "commitment": "", "entropy": ["é"]},
        {"seed": "00", "commitment": "", "entropy": ["\ud800"]},
        {"seed": "00", "commitment": "", "entropy": 7},
    ],
    ids=str,
)
def test_fairness_that_cannot_be_read_is_broken(fairness: Any) -> None:
    for more in ({}, {"chance": {"generator": "seeded", "seed": 1, "game": 1}}):
        record = loaded(2, 0) | more | {"fairness": fairness}
        assert judged(record).finding in (Finding.BROKEN, Finding.UNFAIR)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["I1", "T?", "00"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=4),
    max_leaves=8,
)


def places_in(found: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(found, dict):
        inner = list(cast("Json", found).items())
    elif isinstance(found, list):
        inner = list(enumerate(cast("list[Any]", found)))
    return [path, *(place for key, value in inner for place in places_in(value, (*path, key)))]


@settings(max_examples=300)
@given(st.randoms(use_true_random=False), anything)
def test_any_value_anywhere_is_judged(rng: random.Random, value: Any) -> None:
    record = loaded(rng.choice((1, 2, 3, 4)), 0)
    path = rng.choice([path for path in places_in(record) if path])
    part: Any = record
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    try:
        parsed = Record.parse(record)
    except Refusal:
        return
    assert str(verify(parsed))


def test_every_finding_has_words() -> None:
    keys = {f"fairness.{finding}" for finding in Finding if finding is not Finding.UNFAIR}
    keys |= {f"fairness.unfair.{purpose.name.lower()}" for purpose in Purpose}
    assert keys | {"fairness.unfair.commitment"} <= set(catalogue())
