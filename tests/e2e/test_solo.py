"""A person's whole game against the Ghost (R10)."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from royalcrypt.cli import main
from tests.e2e.player import Player
from tests.e2e.visiting import Visitor


def test_a_whole_game_alone_from_home_to_the_score_sheet_is_fair_and_its_record_passes(
    visitor: Visitor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = Player(visitor).solo()
    player.play()
    words, page = visitor.words, visitor.page
    truth = visitor.house.truth(visitor.table)
    assert truth
    total = player.score_sheet.get_by_role("row", name=words.say("page.end.sheet.total"))
    expect(total.get_by_role("cell")).to_have_text(str(truth["result"]["scores"][0]))
    expect(page.get_by_text(words.any_of("page.end.solo.rank"))).to_be_visible()

    player.button("page.fair.check").click()
    expect(page.get_by_text(words.say("page.fair.fair"))).to_be_visible()
    expect(page.get_by_text(words.say("page.fair.step.share"))).to_be_visible()

    with page.expect_download() as waiting:
        page.get_by_role("link", name=words.say("page.end.download")).click()
    record = tmp_path / "record.json"
    waiting.value.save_as(record)
    assert json.loads(record.read_text("utf-8"))["result"] == truth["result"]
    assert main(["check", str(record)]) == 0
    assert main(["verify", str(record)]) == 0
    assert ": fair: " in capsys.readouterr().out
