"""The server makes the changes of views that the page's tests apply, and the reference applies them too."""

import json
from typing import Any

import msgspec
import pytest

from royalcrypt.play.view_changes import apply_changes
from tests.golden.view_changes import PATH, digest, text

SERIES = json.loads(PATH.read_text("utf-8"))


def test_the_server_sends_the_same_changes_as_ever() -> None:
    """If this is meant to change, run ``make golden``."""
    assert text() == PATH.read_text("utf-8")


@pytest.mark.parametrize("series", SERIES, ids=lambda series: series["name"])
def test_the_changes_of_a_game_lead_to_each_view_of_it(series: dict[str, Any]) -> None:
    view = series["before"]
    for changes, expected in series["steps"]:
        view = apply_changes(view, changes)
        assert digest(msgspec.json.encode(view)) == expected
    assert view == series["after"]
