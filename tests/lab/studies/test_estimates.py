"""Estimates and their intervals, compared with known values."""

import csv
import io

import numpy as np
import pytest

from royalcrypt.lab.studies.estimates import (
    UNKNOWN,
    Estimate,
    against_others,
    least_squares,
    mean_by_deal,
    mean_of,
    share_of,
    t_quantile,
)
from royalcrypt.lab.studies.results import ResultColumn, ResultTable

CHANCE = np.random.default_rng(7)


def test_a_mean_has_the_interval_of_student() -> None:
    found = mean_of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (found.value, found.count) == (2.5, 4)
    assert found.half == pytest.approx(3.182 * 1.29099 / 2, rel=0.02)


@pytest.mark.parametrize(("count", "quantile"), [(3, 4.303), (6, 2.571), (31, 2.042), (10**6, 1.96)])
def test_few_observations_have_a_wider_interval(count: int, quantile: float) -> None:
    assert t_quantile(count) == pytest.approx(quantile, rel=0.02)


def test_a_share_has_the_interval_of_wilson() -> None:
    found = share_of(5, 10)
    assert (found.low, found.high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert share_of(0, 20).low == 0
    assert share_of(0, 20).high == pytest.approx(0.1611, abs=1e-4)


def test_repeated_observations_of_a_deal_do_not_narrow_the_interval() -> None:
    values, deals = CHANCE.normal(size=50), np.arange(50)
    once, twice = mean_by_deal(values, deals), mean_by_deal(np.repeat(values, 2), np.repeat(deals, 2))
    assert once.value == pytest.approx(mean_of(values).value)
    assert once.half == pytest.approx(mean_of(values).half)
    assert twice.half == pytest.approx(once.half)


def test_intervals_contain_the_mean_in_95_percent_of_samples() -> None:
    holds = [not mean_of(CHANCE.normal(3, 2, size=40)).excludes(3) for _ in range(1000)]
    assert 0.92 < np.mean(holds) < 0.98


def test_regression_finds_planted_coefficients() -> None:
    planted = np.array([2.0, -1.0, 0.5, 0.0])
    table = CHANCE.integers(0, 4, size=(4000, 4)).astype(float)
    target = table @ planted + CHANCE.normal(0, 1, size=4000)
    found = least_squares(table, target, np.repeat(np.arange(2000), 2))
    for coefficient, wanted in zip(found, planted, strict=True):
        assert coefficient.value == pytest.approx(wanted, abs=0.06)
        assert 0 < coefficient.half < 0.06


def test_regression_has_no_coefficient_for_a_column_of_zeros() -> None:
    table = np.zeros((10, 2))
    table[:, 0] = np.arange(10)
    found = least_squares(table, 3.0 * np.arange(10), np.arange(10))
    assert found[0].value == pytest.approx(3)
    assert np.isnan(found[1].value)


def test_seats_are_compared_with_the_mean_of_the_others() -> None:
    assert against_others(np.array([[9.0, 3.0, 6.0]])).tolist() == [[4.5, -4.5, 0.0]]


def test_intervals_of_a_difference_combine_both() -> None:
    found = Estimate(5, 2, 8, 10) - Estimate(1, -3, 5, 20)
    assert (found.value, found.half, found.count) == (4, 5, 10)


@pytest.mark.parametrize(
    ("estimate", "form", "words"),
    [
        (Estimate(1.25, 1.15, 1.35, 9), ".2f", "1.25 ± 0.10"),
        (Estimate(-0.5, -1, 0, 9), "+.1f", "−0.5 ± 0.5"),
        (Estimate(-0.001, -1.001, 0.999, 9), "+.2f", "+0.00 ± 1.00"),
        (Estimate(0.5, 0.4, 0.6, 9), ".0%", "50 ± 10 %"),
        (Estimate(0.02, 0.005, 0.071, 9), ".1%", "2.0 % (0.5 to 7.1)"),
        (UNKNOWN, ".1f", "–"),
        (Estimate(3.0, count=1), ".1f", "3.0"),
    ],
    ids=["plain", "signed", "never minus nothing", "share", "lopsided", "nothing", "single"],
)
def test_estimates_as_text(estimate: Estimate, form: str, words: str) -> None:
    assert format(estimate, form) == words


def test_a_table_is_written_as_csv_and_data_frame() -> None:
    table = ResultTable(
        "t",
        "Caption",
        (ResultColumn("name", "Name"), ResultColumn("coins", "Coins", ".1f"), ResultColumn("games", "Games")),
        [("a, b", Estimate(1.23456, 1.0, 1.5, 3), 7), ("“c”", Estimate(2, count=1), 0)],
    )
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert rows[0] == {
        "name": "a, b",
        "coins": "1.2346",
        "coins_low": "1.0",
        "coins_high": "1.5",
        "games": "7",
    }
    assert rows[1]["coins_low"] == ""
    frame = table.to_frame()
    assert list(frame.columns) == ["name", "coins", "coins_low", "coins_high", "games"]
    assert frame["coins"].tolist() == [1.2346, 2.0]
    assert frame["coins_low"].isna().tolist() == [False, True]
