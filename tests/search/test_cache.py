"""Where compiled code is kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from royalcrypt.rules.layout import State
from royalcrypt.rules.reveal import row_length
from royalcrypt.search import compilation
from royalcrypt.search.backend import blank_record


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for compiled code, in a process that has compiled nothing yet."""
    chosen = tmp_path / "caches"
    monkeypatch.setenv(compilation.CACHE_VARIABLE, str(chosen))
    monkeypatch.setattr(compilation, "_entries", {})
    forget()
    yield chosen
    forget()


def forget() -> None:
    compilation.cache_directory.cache_clear()
    compilation.can_store.cache_clear()


def seats_of_four() -> State:
    state = blank_record()
    state.seats = 4
    return state


def test_compiled_code_is_kept_for_the_next_process(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not compilation.is_compiled(row_length)
    assert compilation.compiled(row_length)(seats_of_four()) == 6
    assert compilation.is_compiled(row_length)
    assert compilation.is_compiled()
    assert not compilation.is_compiled(seats_of_four)
    monkeypatch.setattr(compilation, "_entries", {})

    def compile_again(twin: object) -> None:
        pytest.fail("it was not loaded")

    monkeypatch.setattr(compilation, "_compile_callees", compile_again)
    assert compilation.compiled(row_length)(seats_of_four()) == 6


def test_only_the_few_latest_caches_are_kept(caches: Path) -> None:
    for name in "abcdef":
        (caches / name).mkdir(parents=True)
    assert compilation.can_store()
    assert len(list(caches.iterdir())) == compilation.CACHES_STORED
    assert compilation.cache_directory().is_dir()


def test_where_nothing_can_be_kept_it_says_so_once_and_works(caches: Path) -> None:
    caches.write_text("a file stands where the directory should be")
    with pytest.warns(RuntimeWarning, match=compilation.CACHE_VARIABLE):
        compiled = compilation.compiled(row_length)
    assert compiled(seats_of_four()) == 6
