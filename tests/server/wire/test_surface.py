"""No leak on any route: twin games give everybody the same answers, whatever they ask, to the byte."""

import os
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from royalcrypt.server.app import make_app
from royalcrypt.server.settings import ServerSettings
from tests.server.wire.performing import Company, Findings
from tests.server.wire.scenes import SCENES, TWO, WITH_PROGRAM, any_scene
from tests.server.wire.surveys import survey_of

MANY = int(20 * float(os.environ.get("ROYALCRYPT_CAMPAIGN", "1")))
PROTOCOL = 2
NEVER_DONE = {
    *("GET /mail/confirm", "POST /mail/confirm", "PUT /api/me/address", "POST /api/me"),
    *("POST /api/sign-in", "POST /api/sign-in/phrase", "POST /api/replay", "POST /api/analysis"),
    *("POST /api/line", "PUT /api/tables/{table_id}/seats/{seat}/program"),
    *("GET /api/duplicates/{duplicate_id}", "POST /api/duplicates/{duplicate_id}/end"),
}
"""What is refused in every survey, before a game is looked at; ``test_sealed_twins`` has the duplicates."""
REFUSED_WHILE_A_GAME_RUNS = {200, 201, 204, 409}
"""Statuses of answers that take the game's state into account."""


def told(found: Findings) -> str:
    return "\n".join(map(str, found.differences))


def check(company: Company, name: str) -> None:
    survey = survey_of(SCENES[name])
    found = company.compare(survey, PROTOCOL)
    assert not found.differences, told(found)
    assert not found.log, "something went wrong on the way"
    assert found.hidden > 10, "this game hid next to nothing, so it proves nothing"
    assert found.messages > 1000
    assert len(found.reasons) > 20
    reached = {
        endpoint
        for endpoint, statuses in survey.statuses.items()
        if statuses & REFUSED_WHILE_A_GAME_RUNS or survey.scene == SCENES["memory"]
    }
    assert reached >= survey.statuses.keys() - NEVER_DONE


def test_what_a_reader_cannot_know_changes_no_answer_on_any_route(company: Company) -> None:
    check(company, "program")


@pytest.mark.faults
@pytest.mark.parametrize("name", sorted(SCENES.keys() - {"program", "hot seat"}))
def test_the_same_holds_at_every_sort_of_table(company: Company, name: str) -> None:
    check(company, name)


@pytest.mark.faults
def test_no_answer_leaks_in_many_games(company: Company) -> None:
    found = Findings()
    for seed in range(MANY):
        scene = any_scene(seed)
        found += company.compare(survey_of(scene), PROTOCOL)
        assert not found.differences, f"scene {seed}\n{told(found)}"
    assert not found.log, "something went wrong on the way"
    assert found.hidden > 20 * MANY


def test_a_survey_asks_for_every_route_of_the_server(tmp_path: Path) -> None:
    """A new route is added to ``surveys``."""
    app = make_app(ServerSettings(data=tmp_path))
    there = {
        f"{method} {route.path_format}"
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method in set(route.methods) - {"OPTIONS", "HEAD"}
    }
    assert survey_of(WITH_PROGRAM).endpoints == there
    assert survey_of(TWO).endpoints == there


@pytest.mark.faults
def test_the_same_world_twice_gives_the_same_answers(company: Company) -> None:
    """Else nothing could be told from a difference."""
    survey = survey_of(TWO)
    first, second = (company.perform(survey, survey.true, PROTOCOL) for _ in range(2))
    assert first == second
