"""The description of the REST interface, made from its handlers and from the types they read and write."""

import re
from collections.abc import Iterator
from functools import lru_cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, QueryParameter
from litestar.routes import HTTPRoute

from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.common import is_for_programs
from royalcrypt.server.version import VERSION
from royalcrypt.server.wire.messages import Reason

REFUSALS = {
    400: "The request was not understood",
    401: "Not signed in, or not the host",
    403: "Not allowed",
    404: "Not there, or not to be seen without its link",
    405: "Not this method",
    409: "Not possible as things stand",
    413: "Too long",
    415: "Only JSON is read",
    429: "Too much at once",
    500: "A mistake of the server",
    503: "The storage cannot keep anything now",
}
OF_BODIES = (413, 415)
TO_TRY_AGAIN = (429, 503)
JSON = "application/json"
REF = "#/components/schemas/{name}"
Json = dict[str, Any]


class Operation(NamedTuple):
    path: str
    method: str
    handler: HTTPRouteHandler
    hints: dict[str, Any]

    @property
    def answer(self) -> Any:
        """The type of what is answered, whether it is wrapped up or not."""
        found = self.hints["return"]
        return get_args(found)[0] if get_origin(found) is Response else found


class Values:
    """Schemas as msgspec makes them, which also reads and writes what they describe."""

    def __init__(self) -> None:
        self.named: Json = {}

    def schema(self, kind: Any) -> Json:
        (found,), named = msgspec.json.schema_components((kind,), ref_template=REF)
        self.named |= named
        return found


@lru_cache(maxsize=1)
def openapi(app: Litestar, cookie: str) -> bytes:
    """OpenAPI 3.1; ``cookie`` is the name of the one by which people are known."""
    values = Values()
    paths: dict[str, Json] = {}
    for one in sorted(operations(app), key=lambda one: (one.path, one.method)):
        paths.setdefault(one.path, {})[one.method.lower()] = described(one, values)
    return msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {"title": "The Royal Crypt", "version": VERSION},
            "servers": [{"url": "/"}],
            "paths": paths,
            "components": {
                "schemas": values.named,
                "securitySchemes": {
                    "person": {"type": "apiKey", "in": "cookie", "name": cookie},
                    "program": {"type": "http", "scheme": "bearer"},
                    "host": {"type": "http", "scheme": "bearer"},
                },
            },
        }
    )


def operations(app: Litestar) -> Iterator[Operation]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.resolve_include_in_schema():
                    hints = get_type_hints(handler.fn, include_extras=True)
                    for method in handler.http_methods:
                        yield Operation(route.path_format, method, handler, hints)


def described(one: Operation, values: Values) -> Json:
    handler = one.handler
    tags = handler.resolve_tags()
    found: Json = {
        "tags": tags,
        "summary": handler.summary,
        "operationId": handler.operation_id,
        "parameters": [*path_parameters(one, values), *optional_parameters(one, values)],
        "responses": responses(one, values),
        "security": security(one),
    }
    if "data" in one.hints:
        content = {JSON: {"schema": values.schema(one.hints["data"])}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def path_parameters(one: Operation, values: Values) -> Iterator[Json]:
    for name in re.findall(r"{(\w+)}", one.path):
        yield {"name": name, "in": "path", "required": True, "schema": values.schema(one.hints[name])}


PLACES = {HeaderParameter: "header", QueryParameter: "query"}


def optional_parameters(one: Operation, values: Values) -> Iterator[Json]:
    """In headers and after the question mark; all of them may be left out."""
    for name, hint in one.hints.items():
        for mark in getattr(hint, "__metadata__", ()):
            if type(mark) in PLACES:
                kinds = get_args(hint.__origin__)
                yield {
                    "name": mark.name or name,
                    "in": PLACES[type(mark)],
                    "required": False,
                    "schema": values.schema(kinds[0] if NoneType in kinds else hint),
                }


def responses(one: Operation, values: Values) -> Json:
    refused = {"content": {JSON: {"schema": values.schema(Reason)}}}
    found: Json = {str(one.handler.status_code): {"description": "Done"} | content(one, values)}
    for status, words in REFUSALS.items():
        if "data" in one.hints or status not in OF_BODIES:
            found[str(status)] = {"description": words} | refused
    for status in TO_TRY_AGAIN:
        wait = {"description": "Seconds to wait", "required": True, "schema": {"type": "integer"}}
        found[str(status)]["headers"] = {"Retry-After": wait}
    return found


def content(one: Operation, values: Values) -> Json:
    if one.answer is type(None):
        return {}
    media_type = str(one.handler.media_type or JSON)
    if one.answer is not bytes:
        return {"content": {JSON: {"schema": values.schema(one.answer)}}}
    return {"content": {media_type: {"schema": {"type": "object"}} if media_type == JSON else {}}}


def security(one: Operation) -> list[dict[str, list[str]]]:
    if one.handler.resolve_security():
        return [{"host": []}]
    if not any(Caller in get_args(hint) for hint in one.hints.values()):
        return []
    return [{"person": []}, {"program": []}] if is_for_programs(one.method, one.path) else [{"person": []}]
