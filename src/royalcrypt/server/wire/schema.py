"""The schema of the socket's messages."""

from functools import cache

import msgspec

from royalcrypt.server.wire.commands import AnyCommand
from royalcrypt.server.wire.messages import AnyMessage


@cache
def socket_schema() -> bytes:
    """JSON Schema 2020-12: ``AnyCommand`` goes to the server, ``AnyMessage`` comes from it."""
    (commands, messages), parts = msgspec.json.schema_components(
        (AnyCommand, AnyMessage), ref_template="#/$defs/{name}"
    )
    return msgspec.json.encode(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The Royal Crypt: messages of the socket",
            "$defs": parts | {"AnyCommand": commands, "AnyMessage": messages},
        }
    )
