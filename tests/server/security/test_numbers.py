"""No body is slow to read, whatever numbers it has."""

import json
from time import process_time
from typing import Any

import pytest

from royalcrypt.live.wire.finished_games import LineOfRecord
from royalcrypt.server.http.common import decoder_of
from royalcrypt.server.http.replays import MAX_RECORD_SIZE

NUMBERS = (
    "1.5e300",
    "1.7976931348623157e308",
    "-1e-320",
    "12345678901234567890123",
    "7" * 4000,
    "1." + "3" * 2000,
)


def full_of(number: str) -> str:
    return f'{{"a":[{",".join([number] * (MAX_RECORD_SIZE // (len(number) + 1) - 10))}]}}'


@pytest.mark.parametrize("number", NUMBERS, ids=lambda text: text[:12])
def test_numbers_are_read_about_as_fast_as_by_python(number: str) -> None:
    body = full_of(number)
    began = process_time()
    expected = json.loads(body)
    usual = process_time() - began
    began = process_time()
    found = decoder_of(dict[str, Any]).decode(body)
    spent = process_time() - began
    assert found["a"] == pytest.approx(expected["a"]) if len(number) < 1000 else found["a"]
    assert spent < 10 * usual + 0.05


def test_records_inside_other_bodies_are_read_the_same_way() -> None:
    body = f'{{"move": 0, "seat": 0, "level": "heir", "record": {full_of("1.5e300")}}}'
    began = process_time()
    decoder_of(LineOfRecord).decode(body)
    assert process_time() - began < 0.5
