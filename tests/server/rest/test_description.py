"""What the server says of itself is true: all it answers and sends fits its own description."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import httpx
import jsonschema_rs  # comes with schemathesis
import msgspec
import pytest

from royalcrypt.live.wire.messages import AnyMessage
from tests.server.harness import Json
from tests.server.rest.scenario import Evening, with_evening

Found = tuple[Evening, Json, Json]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """An evening, and the two descriptions."""

    async def test(past: Evening) -> Found:
        async with past.host.client() as http:
            rest = (await http.get("/api/schema/openapi.json")).json()
            return past, rest, (await http.get("/api/schema/socket.json")).json()

    return with_evening(test, tmp_path_factory.mktemp("evening"))


def operation_of(answer: httpx.Response, paths: Json) -> Json | None:
    """What is described of what was asked for."""
    for template, methods in paths.items():
        pattern = re.sub(r"{\w+}", "[^/]+", template)
        if re.fullmatch(pattern, answer.url.path) and answer.request.method.lower() in methods:
            return methods[answer.request.method.lower()]
    return None


def fault_of(answer: httpx.Response, rest: Json) -> str | None:
    """How an answer differs from its description, if it does."""
    operation = operation_of(answer, rest["paths"])
    if operation is None:
        is_page = answer.url.path == "/" or answer.url.path.startswith("/mail/")
        return None if answer.status_code in (404, 405) or is_page else "is not described"
    response = operation["responses"].get(str(answer.status_code))
    if response is None:
        return "has no such status"
    media_type = answer.headers.get("content-type", "").partition(";")[0]
    if "content" not in response:
        return f"should be empty, is {answer.content!r}" if answer.content else None
    if media_type not in response["content"]:
        return f"should not be {media_type}"
    missing = [name for name in response.get("headers", {}) if name not in answer.headers]
    schema = response["content"][media_type].get("schema")
    if missing or schema is None:
        return f"lacks {missing}" if missing else None
    errors = list(jsonschema_rs.iter_errors(schema | {"components": rest["components"]}, answer.json()))
    return str(errors[0]) if errors else None


def test_every_answer_of_an_evening_fits_its_description(found: Found) -> None:
    past, rest, _ = found
    faults = {
        f"{answer.request.method} {answer.url.path} {answer.status_code}: {fault}"
        for answer in past.host.answers
        if (fault := fault_of(answer, rest)) is not None
    }
    assert faults == set()


def test_an_evening_asks_for_everything_that_is_described(found: Found) -> None:
    past, rest, _ = found
    asked = {id(operation_of(answer, rest["paths"])) for answer in past.host.answers if answer.is_success}
    left_out = {
        f"{method} {path}"
        for path, methods in rest["paths"].items()
        for method, operation in methods.items()
        if id(operation) not in asked
    }
    assert left_out == set()


PLANTED: dict[str, Callable[[Json], Any]] = {
    "a part too few": lambda answer: answer.pop("person"),
    "another type": lambda answer: answer.update(name=7),
}


@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_an_answer_that_does_not_fit_would_be_noticed(found: Found, plant: Callable[[Json], Any]) -> None:
    past, rest, _ = found
    (first, *_) = [
        answer for answer in past.host.answers if answer.url.path == "/api/me" and answer.is_success
    ]
    body: Json = first.json()
    plant(body)
    twin = httpx.Response(first.status_code, json=body, request=first.request)
    assert fault_of(first, rest) is None
    assert fault_of(twin, rest) is not None
    assert fault_of(httpx.Response(418, request=first.request), rest) == "has no such status"


def test_every_message_of_an_evening_fits_its_description(found: Found) -> None:
    past, _, socket = found
    messages = jsonschema_rs.validator_for(socket | {"$ref": "#/$defs/AnyMessage"})
    heard: Counter[str] = Counter()
    for raw in past.host.messages:
        message: Json = msgspec.json.decode(raw)
        heard[message["type"]] += 1
        assert [str(error) for error in messages.iter_errors(message)] == []
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(AnyMessage)}
    assert set(heard) == kinds, "each kind was heard"


def test_a_message_that_does_not_fit_would_be_noticed(found: Found) -> None:
    _, _, socket = found
    messages = jsonschema_rs.validator_for(socket | {"$ref": "#/$defs/AnyMessage"})
    assert messages.is_valid({"type": "done", "now": 7})
    for odd in ({"type": "done"}, {"type": "dance", "now": 7}, {"type": "done", "now": "7"}, {"now": 7}):
        assert not messages.is_valid(odd)


def test_the_descriptions_are_well_formed(found: Found) -> None:
    _, rest, socket = found
    for schema in (*rest["components"]["schemas"].values(), *socket["$defs"].values()):
        assert jsonschema_rs.meta.is_valid({"$schema": socket["$schema"]} | schema)
    names = [one["operationId"] for methods in rest["paths"].values() for one in methods.values()]
    assert len(set(names)) == len(names)
    used = set(re.findall(r"#/components/schemas/(\w+)", msgspec.json.encode(rest).decode()))
    assert used == set(rest["components"]["schemas"])
