"""Where compiled code is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from royalcrypt.rules.layout import State
from royalcrypt.rules.reveal import row_length
from royalcrypt.search import cache, twins
from royalcrypt.search.carrier import blank_record


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for compiled code, in a process that has compiled nothing yet."""
    chosen = tmp_path / "caches"
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(chosen))
    monkeypatch.setattr(twins, "_entries", {})
    forget()
    yield chosen
    forget()


def forget() -> None:
    cache.cache_directory.cache_clear()
    cache.can_keep.cache_clear()


def seats_of_four() -> State:
    state = blank_record()
    state.seats = 4
    return state


def test_compiled_code_is_kept_for_the_next_process(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not twins.is_compiled(row_length)
    assert twins.compiled(row_length)(seats_of_four()) == 6
    assert twins.is_compiled(row_length)
    assert twins.is_compiled()
    assert not twins.is_compiled(seats_of_four)
    monkeypatch.setattr(twins, "_entries", {})

    def compile_again(twin: object) -> None:
        pytest.fail("it was not loaded")

    monkeypatch.setattr(twins, "_compile_callees", compile_again)
    assert twins.compiled(row_length)(seats_of_four()) == 6


def test_only_the_few_latest_caches_are_kept(caches: Path) -> None:
    for name in "abcdef":
        (caches / name).mkdir(parents=True)
    assert cache.can_keep()
    assert len(list(caches.iterdir())) == cache.CACHES_KEPT
    assert cache.cache_directory().is_dir()


def test_where_nothing_can_be_kept_it_says_so_once_and_works(caches: Path) -> None:
    caches.write_text("a file stands where the directory should be")
    with pytest.warns(RuntimeWarning, match=cache.CACHE_VARIABLE):
        compiled = twins.compiled(row_length)
    assert compiled(seats_of_four()) == 6
