"""The examples in the documents and docstrings run and say what they show."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import royalcrypt

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
ROOMS = ("rules", "notation", "play")
MODULES = sorted(
    module.name
    for room in ROOMS
    for module in pkgutil.walk_packages([str(ROOT / "src" / "royalcrypt" / room)], f"royalcrypt.{room}.")
)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PYTHON = "```python\n"


def python_blocks(text: str) -> list[str]:
    return [block.split("```", 1)[0] for block in text.split(PYTHON)[1:]]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_examples_of_a_document_run(
    document: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Blocks with prompts show their results; others must only run, one after another."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for number, block in enumerate(python_blocks(document.read_text("utf-8")), 1):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, document.name, str(document), number)
            runner.run(test, clear_globs=False)
            names = test.globs
        else:
            exec(compile(block, f"{document.name}, block {number}", "exec"), names)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_docstring_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0


def test_the_friendly_api_is_documented_by_an_example() -> None:
    assert royalcrypt.Game.__doc__ is not None
    assert ">>> game = Game.new(" in royalcrypt.Game.__doc__
