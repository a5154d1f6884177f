"""The Collector catalogue: every place that is derived from it pays what the oracle pays (section 8)."""

import json
import os
import random
import re
import runpy
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.bots.worth import Appraiser
from royalcrypt.locales import COINS, LANGUAGES, NUMBERS, say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.notation.moves import Verb
from royalcrypt.play.rulings import ANY_TIME_VERBS
from royalcrypt.play.views import view_of
from royalcrypt.rules.cards import draw, gain
from royalcrypt.rules.catalogue import COLLECTORS, PRICE, WHEN
from royalcrypt.rules.collectors import run_idol_race
from royalcrypt.rules.layout import KINDS, SEATS, TYPES, State, blank
from royalcrypt.rules.phases import NO_ERRAND, OVER
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import bonus, tally
from royalcrypt.search import features
from tests.oracle import game as oracle_game
from tests.oracle import scoring as oracle
from tests.oracle.cards import Card

ROOT = Path(__file__).parents[2]
SET_UPS = list(product((0, 1), repeat=TYPES))
COLLECTIONS = 6
"""Random collections for each set-up and number of players."""
SIDES = "AB"
PAGE: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "collectors.py"))


def collected(players: int, sides: tuple[int, ...], seed: int) -> tuple[State, list[list[Card]]]:
    """A game in which players own random cards, and the same cards for the oracle."""
    rng = random.Random(f"{players} {sides} {seed}")
    state = blank()
    set_up(state, players, list(sides), 0)
    everyone: list[list[Card]] = [[] for _ in range(players)]
    favourites = [rng.randrange(TYPES) for _ in range(3)]
    for _ in range(rng.randrange(4, state.deck)):
        kinds = [kind for kind in range(KINDS) if state.unseen[kind]]
        liked = [kind for kind in kinds if kind // 4 in favourites]
        card = draw(state, rng.choice(liked or kinds))
        seat = rng.randrange(players)
        gain(state, seat, card)
        everyone[seat].append(Card(LETTERS[state.card_type[card]], state.card_value[card]))
    run_idol_race(state)
    tally(state)
    return state, everyone


def expected(state: State, everyone: list[list[Card]], seat: int, card_type: int) -> int:
    first = {other for other in range(len(everyone)) if state.players[other].won_idols}
    return oracle.bonus(LETTERS[card_type], SIDES[state.sides[card_type]], seat, everyone, first)


def appraised(state: State, seat: int, card_type: int) -> float:
    numbers = [0.0] * features.APPRAISAL_END
    features.appraise_cards(state, numbers)
    held = state.players[seat].held[card_type]
    coins = numbers[features.COINS + seat * TYPES + card_type]
    return features.current_bonus(
        state, seat, card_type, held, coins, numbers[features.FINEST + seat], numbers
    )


def drawn(state: State, everyone: list[list[Card]], seat: int, card_type: int) -> int:
    """What the page's pictogram promises, read line by line."""
    letter = LETTERS[card_type]
    mine = oracle.values(everyone[seat], letter)
    coins = [sum(oracle.values(cards, letter)) for cards in everyone]
    paid = 0
    for clause in PAGE["clauses"](COLLECTORS[card_type][state.sides[card_type]]):
        cards, gift = clause["cards"], clause["gift"]
        rivals = [other for other in everyone if len(oracle.values(other, letter)) >= cards]
        is_met = {
            None: len(mine) >= cards and paid < gift.get("coins", 1),
            "first": bool(state.players[seat].won_idols),
            "most": len(mine) >= cards and sum(mine) == max(coins),
            "alone": len(mine) >= cards and len(rivals) == 1,
            "many": len(mine) >= cards and len(rivals) > 1,
        }[clause.get("when")]
        if is_met and "verb" not in gift:
            paid = (
                gift["coins"] * (len(mine) if clause.get("isEach") else 1)
                if "coins" in gift
                else (gift["times"] - 1) * max(mine)
                if "times" in gift
                else gift["worth"] * len(mine) - sum(mine)
            )
    return paid


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_derived_place_pays_what_the_oracle_pays_in_all_set_ups(players: int) -> None:
    for sides in SET_UPS:
        for seed in range(COLLECTIONS):
            state, everyone = collected(players, sides, seed)
            for seat, card_type in product(range(players), range(TYPES)):
                due = expected(state, everyone, seat, card_type)
                where = (sides, seed, seat, card_type)
                assert bonus(state, seat, card_type) == due, where
                assert appraised(state, seat, card_type) == due, where
                assert drawn(state, everyone, seat, card_type) == due, where


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_with_no_card_to_come_bots_appraise_what_the_oracle_pays(players: int) -> None:
    for sides in SET_UPS:
        state, everyone = collected(players, sides, seed=99)
        state.phase = OVER
        appraiser = Appraiser(view_of(state, 0))
        appraiser.more = [(1.0,)] * TYPES
        for seat, card_type in product(range(players), range(TYPES)):
            if COLLECTORS[card_type][sides[card_type]].reward == NO_ERRAND:
                column = appraiser.columns[seat][card_type]
                worth = appraiser.worth(seat, card_type, column) - column.coins
                assert worth == pytest.approx(expected(state, everyone, seat, card_type))


def test_rewards_cost_what_they_cost_in_the_oracle() -> None:
    for verb, (letter, count) in oracle_game.PRICE.items():
        (side,) = (s for s in COLLECTORS[LETTERS.index(letter)] if PAGE["VERBS"].get(s.reward) == verb)
        assert side.flips == count == PRICE[side.reward]
        assert side.when == WHEN[side.reward]
    assert set(ANY_TIME_VERBS) == {Verb.PEEK, Verb.MEND}  # R9.1


def payouts(card_type: int, side: int) -> set[int]:
    """All that the oracle pays for one to eight cards worth a coin each, alone or beside equal rivals."""
    letter = LETTERS[card_type]
    found: set[int] = set()
    for count in range(1, 9):
        mine = [Card(letter, 1)] * count
        for everyone in ([mine], [mine] * SEATS):
            for first in ({0}, set[int]()):
                if count >= 2 or not first:
                    found.add(oracle.bonus(letter, SIDES[side], 0, everyone, first))
    return found - {0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_name_the_payouts_of_the_oracle(language: str) -> None:
    for card_type, side in product(range(TYPES), range(2)):
        if COLLECTORS[card_type][side].unit != (1, 0, 0, 0) or not COLLECTORS[card_type][side].pays:
            continue
        key = f"collector.{TYPE_NAMES[card_type]}.{SIDES[side]}"
        due = payouts(card_type, side)
        assert set(map(int, re.findall(r"\+(\d+)", say(f"{key}.short", language)))) == due, key
        grid = say(f"terminal.{key}.top") + " " + say(f"terminal.{key}.bottom")
        assert set(map(int, re.findall(r"\+(\d+)", grid))) == due, key
        for text in ("full", "label"):
            assert due <= set(map(int, re.findall(r"\d+", say(f"{key}.{text}", language)))), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_about_sides_hold_no_number_of_their_own(language: str) -> None:
    source = ROOT / "src" / "royalcrypt" / "locales" / language / "collector.json"
    named = {*NUMBERS, *(name + COINS for name in NUMBERS)}
    for key, text in json.loads(source.read_text("utf-8")).items():
        if re.fullmatch(r"collector\.\w+\.[AB]\.\w+", key):
            assert set(re.findall(r"\{(\w+)\}", text)) <= named, key
            assert not re.search(r"\d", re.sub(r"\{\w+\}", "", text)), key


def test_the_page_has_the_catalogue_of_the_rules() -> None:
    assert PAGE["TARGET"].read_text("utf-8") == PAGE["text"]()


PROBE = """
import json
from royalcrypt.bots.worth import Appraiser
from royalcrypt.locales import LANGUAGES, say
from royalcrypt.play.views import view_of
from tests.properties import test_catalogue as places
from royalcrypt.rules.cards import POTTERY, draw, gain, kind_of
from royalcrypt.rules.layout import TYPES, blank
from royalcrypt.rules.phases import OVER
from royalcrypt.rules.scoring import bonus, tally
from royalcrypt.rules.reveal import set_up

state = blank()
set_up(state, 2, [0] * TYPES, 0)
cards = [draw(state, kind_of(POTTERY, value)) for value in (1, 2, 3, 4)]
for card in cards:
    gain(state, 0, card)
tally(state)
state.phase = OVER
appraiser = Appraiser(view_of(state, 0))
appraiser.more = [(1.0,)] * TYPES
print(json.dumps({
    "score": bonus(state, 0, POTTERY),
    "search": places.appraised(state, 0, POTTERY),
    "bots": appraiser.worth(0, POTTERY, appraiser.columns[0][POTTERY]) - 10,
    "texts": [say(f"collector.pottery.A.{text}", language)
              for language in LANGUAGES for text in ("short", "full", "label")],
    "terminal": say("terminal.collector.pottery.A.bottom"),
}))
"""


def test_to_change_a_payout_takes_one_line(tmp_path: Path) -> None:
    """The first recipe of CONTRIBUTING, in a copy of the tree: four Pottery pay 9."""
    for folder in ("src", "scripts", "tests", "web/src/wire"):
        ignored = shutil.ignore_patterns("__pycache__", "page", "records")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    source = tmp_path / "src" / "royalcrypt" / "rules" / "catalogue.py"
    lines = source.read_text("utf-8").splitlines()
    (at,) = (number for number, line in enumerate(lines) if "(4, 8)" in line)
    lines[at] = lines[at].replace("(4, 8)", "(4, 9)")
    source.write_text("\n".join(lines) + "\n", "utf-8")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{tmp_path}"}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout

    run("scripts/collectors.py")
    page = (tmp_path / "web" / "src" / "wire" / "collectors.ts").read_text("utf-8")
    assert '{"cards": 4, "gift": {"coins": 9}}' in page
    assert "pottery_a_pays_3: 9," in page
    found = json.loads(run("-c", PROBE))
    assert (found["score"], found["search"], found["bots"]) == (9, 9, 9)
    for text in (*found["texts"], found["terminal"]):
        assert "9" in text
        assert "8" not in text
