"""The state, field by field and step by step, is what it was."""

from tests.golden.walks import PATH, text


def test_every_step_leads_to_the_same_state_as_ever() -> None:
    """If this is meant to change, run ``make golden``."""
    assert text() == PATH.read_text("utf-8")
