"""Every study works with few games, is reproducible, and makes a page without external resources."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies import cards, collectors, recover, seats, solo
from royalcrypt.lab.studies.games import DealBatch
from royalcrypt.lab.studies.questions import NAMES, Plan, batches_of, question_named, study
from royalcrypt.lab.studies.report import Facts, csv_name, page, write_report
from royalcrypt.lab.studies.results import Study
from royalcrypt.lab.tables import Setting
from royalcrypt.lab.worker_pools import SerialPool, worker_pool
from royalcrypt.notation.reasons import Refusal

SEED = 5
SMALL = {
    "collectors": {2: 12},
    "cards": {2: 8},
    "solo": {1: 2},
    "seats": {2: 10, 3: 4},
    "effort": {2: 6, 4: 2},
    "recover": {2: 12},
    "setups": {2: 2},
}
FACTS = Facts("royalcrypt study --out <here>", SEED, "royalcrypt 0")
VOID = {"meta", "br", "link", "img", "input", "hr"}


@pytest.fixture(scope="module")
def studies() -> dict[str, Study]:
    return {name: study(name, Plan(SMALL[name], SEED), SerialPool()) for name in NAMES}


class Page(HTMLParser):
    """Every tag is closed by its own kind; what a page names is collected."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert name not in {"src", "srcset", "onclick", "data"}
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_valid_and_has_no_external_resources(studies: dict[str, Study]) -> None:
    text = page(list(studies.values()), FACTS)
    found = Page(text)
    assert len(found.ids) == len(set(found.ids))
    files = {csv_name(one, table) for one in studies.values() for table in one.tables}
    for link in found.links:
        assert link in files or link.removeprefix("#") in found.ids
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}
    assert all(link.removeprefix("#") in found.ids for link in re.findall(r"url\(([^)]*)\)", text))
    assert "@import" not in text
    assert "<script" not in text
    assert "&lt;here&gt;" in text


def test_pictures_have_alternative_texts_and_tables_have_captions(studies: dict[str, Study]) -> None:
    text = page(list(studies.values()), FACTS)
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        drawing = ET.fromstring(svg)
        assert drawing.get("role") == "img"
        assert len(drawing.get("aria-label") or "") > 30
    assert text.count("<figure>") == text.count("<figcaption>") == text.count("<svg")
    assert text.count("<table>") == text.count("<caption>")


def test_pictures_use_the_colours_and_fonts_of_the_page(studies: dict[str, Study]) -> None:
    text = page([studies["seats"]], FACTS)
    assert "figure text { font-family: inherit !important; }" in text
    defined = set(re.findall(r"(--[a-z0-9-]+):", text))
    for one in studies.values():
        for section in one.sections:
            for picture in section.pictures:
                assert set(re.findall(r"var\((--[a-z0-9-]+)\)", picture.svg)) <= defined
                assert "#0a0b" not in picture.svg


@pytest.mark.parametrize("name", NAMES)
def test_a_study_has_findings_method_limits_and_tables(name: str, studies: dict[str, Study]) -> None:
    one = studies[name]
    assert all((one.findings, one.method, one.limits))
    assert one.games > 0
    assert "2122" in one.player
    for table in one.tables:
        frame: Any = table.to_frame()
        assert len(frame) == len(table.rows)
        for column in frame.columns:
            if column.endswith("_low"):
                value = column.removesuffix("_low")
                known = frame.dropna(subset=[column])
                assert (known[column] <= known[value] + 1e-4).all()
                assert (known[f"{value}_high"] >= known[value] - 1e-4).all()
    assert one.to_frame().equals(one.tables[0].to_frame())


def test_files_are_the_same_for_any_number_of_workers(tmp_path: Path, studies: dict[str, Study]) -> None:
    plan = Plan({2: 60, 3: 10}, SEED)
    assert len(batches_of("seats", plan)) == 4
    with worker_pool(2) as pool:
        several = study("seats", plan, pool)
    alone = study("seats", plan, SerialPool())
    for folder, one in (("several", several), ("alone", alone)):
        write_report(tmp_path / folder, [one], FACTS)
    for file in (tmp_path / "alone").iterdir():
        assert file.read_bytes() == (tmp_path / "several" / file.name).read_bytes()


def test_the_same_plan_gives_the_same_page(studies: dict[str, Study]) -> None:
    again = study("recover", Plan(SMALL["recover"], SEED), SerialPool())
    assert page([again], FACTS) == page([studies["recover"]], FACTS)


def test_seats_are_counted_as_by_simulate() -> None:
    one: Any = study("seats", Plan({3: 20}, SEED), SerialPool()).to_frame()
    outcomes = list(simulate(Setting(3, (BOT,) * 3, SEED), 20, plain_backend()))
    for seat in range(3):
        row = one.iloc[seat]
        assert row["score"] == pytest.approx(
            np.mean([outcome.scores[seat] for outcome in outcomes]), abs=1e-4
        )
        wins = [(seat in outcome.winners) / len(outcome.winners) for outcome in outcomes]
        assert row["win_share"] == pytest.approx(np.mean(wins), abs=1e-4)


def test_slower_bots_play_the_same_deals() -> None:
    batch = DealBatch("seats", 2, range(4), SEED, "greedy")
    found = seats.observe(batch)
    outcomes = simulate(Setting(2, ("greedy",) * 2, SEED), 4, plain_backend())
    assert found["scores"].tolist() == [list(outcome.scores) for outcome in outcomes]


def test_ranks_begin_at_their_least_score() -> None:
    shares = solo.ranks(np.array([0, 29, 30, 39, 40, 49, 50, 90]))
    assert [one.value for one in shares] == [0.25] * 4


def test_a_deal_with_side_a_differs_from_side_b_by_one_side_only() -> None:
    found = collectors.observe(DealBatch("collectors", 2, range(12), SEED, BOT))
    differ = found["sides"][:, 0] != found["sides"][:, 1]
    assert differ.sum(axis=1).tolist() == [1] * 12
    assert differ.argmax(axis=1).tolist() == [number % 6 for number in range(12)]
    paid = found["bonuses"].sum(axis=3)
    assert (found["scores"] >= paid).all()
    assert collectors.is_completed(found)[found["bonuses"] > 0].all()


def test_different_cards_are_removed_each_as_likely() -> None:
    drawn = [cards.cards_to_remove(SEED, number, 10) for number in range(3000)]
    assert all(len(set(lots)) == cards.REMOVALS for lots in drawn)
    counts = np.bincount([lot for lots in drawn for lot in lots], minlength=10)
    assert counts.min() > 800
    assert counts.max() < 1000
    assert cards.cards_to_remove(SEED, 0, 1) == [0, 0, 0]


def test_turns_with_something_exhausted_are_counted_once() -> None:
    found = recover.observe(DealBatch("recover", 2, range(6), SEED, BOT))
    names = ("turn_deal", "turn_round", "turn_ready", "turn_exhausted", "turn_recovers")
    assert len({len(found[name]) for name in names}) == 1
    assert (found["turn_exhausted"] > 0).all()
    by_force = found["turn_recovers"][found["turn_ready"] == 0]
    assert by_force.all()


def test_an_unknown_study_is_refused() -> None:
    with pytest.raises(Refusal, match="no study"):
        question_named("weather")


def test_tables_of_a_study_are_found_by_name(studies: dict[str, Study]) -> None:
    one: Any = studies["collectors"]
    assert replace(one).table("sides").name == "sides"
    assert len(one.to_frame("sides")) == 6
