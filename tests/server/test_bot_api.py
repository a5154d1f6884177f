"""What docs/bot-api.md promises to those who write programs holds."""

import json
import re
from pathlib import Path

import msgspec

from royalcrypt import Game
from royalcrypt.live.wire.tables import Sitting
from royalcrypt.notation.reasons import Reason
from royalcrypt.play.views import View
from royalcrypt.rules import actions as codes
from royalcrypt.server import limits
from royalcrypt.server.accounts.tokens import PREFIX
from royalcrypt.server.http.callers import SUBPROTOCOL, TOKEN_PREFIX
from tests.server.harness import Host, Json, with_server
from tests.server.test_schema import check

TEXT = (Path(__file__).parents[2] / "docs" / "bot-api.md").read_text("utf-8")
EXAMPLES: list[Json] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def test_every_message_in_it_is_valid() -> None:
    messages = [example for example in EXAMPLES if "type" in example]
    assert {message["type"] for message in messages} == {"follow", "games", "watch", "act"}
    for message in messages:
        check(message)


def test_its_view_is_one_that_the_engine_gives() -> None:
    (told,) = [example for example in EXAMPLES if "row" in example]
    game = Game.new(players=2, seed=7, collectors="ABABAB", leader=1)
    game.play("1:2x2")
    assert told == game.view(0).to_dict()
    msgspec.convert(told, View)


def test_its_claim_is_legal_in_the_view_it_shows() -> None:
    game = Game.new(players=2, seed=7, collectors="ABABAB", leader=1)
    game.play("1:2x2")
    acts = [example for example in EXAMPLES if example.get("type") == "act"]
    (claim,) = [action for act in acts for action in act["actions"] if action["do"] == "claim"]
    places: list[dict[str, int]] = claim["place"]
    for put in places:
        assert codes.placement(put["slot"], put["dice"], put["effort"]) in game.view(0).actions
    game.play(" ".join(f"{put['slot'] + 1}:{put['dice']}x{put['effort']}" for put in places))


def test_its_other_body_is_understood() -> None:
    (body,) = [example for example in EXAMPLES if "entropy" in example]
    msgspec.convert(body, Sitting)


def test_its_numbers_of_actions_are_those_of_the_rules() -> None:
    assert "slot × 18 + (dice − 1) × 6 + effort − 1" in TEXT
    assert codes.placement(5, 3, 6) == codes.DONE - 1 == 107
    assert codes.placement(2, 3, 4) == 2 * 18 + 2 * 6 + 3
    told = {"recover": codes.RECOVER, "peek": codes.PEEK, "mend": codes.MEND, "decline": codes.DECLINE}
    for verb, code in told.items():
        assert re.search(rf"\b{code}\s(is )?`{verb}`", TEXT), verb
    assert f"{codes.TAKE} to {codes.REROLL - 1} `take`" in TEXT
    assert f"{codes.REROLL} to {codes.FLIP - 1} `reroll`" in TEXT
    assert f"{codes.DONE} and {codes.FLIP} to {codes.ACTIONS - 1} occur only" in TEXT
    for code, verb in ((codes.TAKE, "take"), (codes.REROLL, "reroll")):
        assert f"| {code} + slot | `{verb}`" in TEXT


def test_its_refusals_and_limits_are_as_they_are() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| [^|]+ \| [^|]+ \|$", TEXT, re.MULTILINE)
    told = (
        {code for row in rows for code in re.findall(r"`(\w+)`", row)}
        - set(View.__struct_fields__)
        - {"card"}
    )
    assert {"stale", "too_fast", "not_for_programs"} <= told <= set(Reason)
    _, burst, pace = limits.PROGRAM_MESSAGES
    assert f"{burst} messages at once and {pace} a second a program" in TEXT
    assert (limits.PROGRAMS.most, limits.PROGRAM_SOCKETS.most, limits.PROGRAM_SEATS.most) == (
        5,
        3,
        8,
    )
    assert "Five programs a person; 3 sockets, 8 tables and one listed open table a program" in TEXT
    assert f'["{SUBPROTOCOL}", "{TOKEN_PREFIX}{PREFIX}' in TEXT


def test_the_server_has_every_path_that_it_names(tmp_path: Path) -> None:
    async def test(host: Host) -> set[str]:
        async with host.client() as http:
            paths = (await http.get("/api/schema/openapi.json")).json()["paths"]
        return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    there = {re.sub(r"{\w+}", "{}", path) for path in with_server(test, tmp_path)}
    named = re.findall(r"`((?:GET|POST|PUT) /api[^`]*)`", TEXT)
    assert len(named) >= 6
    for path in named:
        plain = re.sub(r"{\w+}|\bID\b|(?<=/seats/)\d", "{}", path)
        assert plain in there, path


def test_the_description_of_rest_tells_what_a_token_opens(tmp_path: Path) -> None:
    async def test(host: Host) -> Json:
        async with host.client() as http:
            return (await http.get("/api/schema/openapi.json")).json()

    told = with_server(test, tmp_path)
    assert told["components"]["securitySchemes"]["program"] == {"type": "http", "scheme": "bearer"}
    security = {
        f"{method} {path}": one["security"]
        for path, methods in told["paths"].items()
        for method, one in methods.items()
    }
    both: list[Json] = [{"person": []}, {"program": []}]
    assert security["post /api/tables"] == both
    assert security["get /api/me/games"] == both
    assert security["post /api/me/programs"] == [{"person": []}]
    assert security["post /api/me/codes"] == [{"person": []}]
    assert security["get /api/host"] == [{"host": []}]
