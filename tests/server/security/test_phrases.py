"""A recovery phrase brings somebody back, and nobody else; it is read as people write it."""

import contextlib
import random
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as some

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.accounts.recovery_phrases import (
    CONSONANTS,
    SECRET_BYTES,
    VOWELS,
    WORDS,
    phrase_of,
    secret_in,
)
from tests.server.harness import Host, Person, person, with_server

SECRETS = some.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES)


async def recover(host: Host, phrase: str) -> httpx.Response:
    async with host.client() as http:
        return await http.post("/api/sign-in/phrase", json={"phrase": phrase})


async def new_phrase(someone: Person) -> str:
    return (await someone.post("/api/me/recovery"))["phrase"]


@given(SECRETS)
def test_a_phrase_is_words_that_can_be_said_and_leads_back_to_its_secret(secret: bytes) -> None:
    phrase = phrase_of(secret)
    word = f"[{CONSONANTS}][{VOWELS}][{CONSONANTS}][{VOWELS}][{CONSONANTS}]"
    assert re.fullmatch(f"{word}( {word}){{{WORDS - 1}}}", phrase)
    assert secret_in(phrase) == secret


@given(SECRETS, some.randoms(use_true_random=False))
def test_one_wrong_letter_never_leads_to_the_same_secret(secret: bytes, chance: random.Random) -> None:
    letters = list(phrase_of(secret))
    place = chance.choice([at for at, letter in enumerate(letters) if letter != " "])
    signs = CONSONANTS if letters[place] in CONSONANTS else VOWELS
    letters[place] = chance.choice([sign for sign in signs if sign != letters[place]])
    with contextlib.suppress(Refusal):
        assert secret_in("".join(letters)) != secret


WRITTEN: tuple[Callable[[str], str], ...] = (
    str.upper,
    str.title,
    lambda phrase: phrase.replace(" ", ""),
    lambda phrase: f"  {phrase.replace(' ', ' - ')}. ",
    lambda phrase: phrase.replace(" ", "\n"),
    lambda phrase: "\uff42" + phrase[1:] if phrase.startswith("b") else phrase,
    lambda phrase: phrase.replace("a", "\u00e1"),
)


@pytest.mark.parametrize("write", WRITTEN)
def test_a_phrase_is_read_as_people_write_it(write: Callable[[str], str]) -> None:
    secret = bytes(range(SECRET_BYTES))
    assert secret_in(write(phrase_of(secret))) == secret


@pytest.mark.parametrize(
    "phrase", ["", "babab", "babab " * 6, "babab " * 8, "\u03b2\u03b1\u03b2 " * 7, "x" * 35]
)
def test_what_is_no_phrase_is_refused_with_how_one_looks(phrase: str) -> None:
    with pytest.raises(Refusal) as refused:
        secret_in(phrase)
    assert refused.value.details == {"why": "spelling", "words": WORDS}


def test_a_phrase_signs_in_any_number_of_devices_until_a_newer_one_replaces_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, person(host, "Bo", is_connected=False) as bo:
            assert (await ada.ask("GET", "/api/me/recovery"))["made"] is None
            first = await new_phrase(ada)
            assert (await ada.ask("GET", "/api/me/recovery"))["made"]
            for _ in range(2):
                answer = await recover(host, first)
                assert answer.json()["person"] == ada.id
                assert "set-cookie" in answer.headers
            second = await new_phrase(ada)
            assert first != second != await new_phrase(bo)
            refused = await recover(host, first)
            assert (refused.status_code, refused.json()["code"]) == (403, "wrong_phrase")
            assert "set-cookie" not in refused.headers
            assert (await recover(host, second)).json()["person"] == ada.id

    with_server(test, tmp_path)


def test_only_a_digest_is_kept_and_it_depends_on_the_servers_key(tmp_path: Path) -> None:
    async def test(host: Host) -> tuple[str, bytes]:
        async with person(host, is_connected=False) as ada:
            phrase = await new_phrase(ada)
        return phrase, secret_in(phrase)

    phrase, secret = with_server(test, tmp_path)
    kept = (tmp_path / "royalcrypt.db").read_bytes()
    assert not any(word in kept for word in (secret, phrase.encode(), phrase.split()[0].encode()))

    async def elsewhere(host: Host) -> None:
        assert (await recover(host, phrase)).status_code == 403

    (tmp_path / "server.key").unlink()
    with_server(elsewhere, tmp_path)


def test_who_was_sent_away_does_not_come_back_by_a_phrase(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            phrase = await new_phrase(ada)
            await host.service.people.update(ada.id, is_banned=True)
            refused = await recover(host, phrase)
            assert (refused.status_code, refused.json()["code"]) == (403, "banned")

    with_server(test, tmp_path)


def test_who_tries_phrases_is_slowed_down_together_with_those_who_try_codes(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as http:
            for _ in range(3):
                assert (await recover(host, "babab")).status_code == 403
            for _ in range(2):
                assert (await http.post("/api/sign-in", json={"code": "wrong"})).status_code == 403
            refused = await recover(host, "babab")
            assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")

    with_server(test, tmp_path, rate_limits=True)


def test_a_phrase_of_somebody_who_is_deleted_brings_nobody_back(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            phrase = await new_phrase(ada)
            await ada.ask("DELETE", "/api/me", {"name": "ada"}, status=204)
            assert (await recover(host, phrase)).status_code == 403

    with_server(test, tmp_path)
