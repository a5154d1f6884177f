"""What is wrong with a message that cannot be read: a code and a place, for any language to put in words."""

import re
from enum import StrEnum

import msgspec

from royalcrypt.notation.reasons import Reason, Refusal

NAMED = re.compile(r"(missing required|contains unknown) field `([^`]*)`")
PLACE = re.compile(r" - at (?:`key` in )?`(\$[^`]*)`")
WHOLE = "$"


class Fault(StrEnum):
    BINARY = "binary"
    NOT_JSON = "not_json"
    MISSING = "missing"
    UNKNOWN = "unknown"
    WRONG = "wrong"
    PARTS = "parts"
    METHOD = "method"


def unreadable(error: Exception) -> Refusal:
    """What msgspec stumbled over: it has no codes, only sentences."""
    if not isinstance(error, msgspec.ValidationError):
        return Refusal(Reason.NOT_A_MESSAGE, why=Fault.NOT_JSON)
    place, named = PLACE.search(str(error)), NAMED.search(str(error))
    field = place[1] if place else WHOLE
    if named is None:
        return Refusal(Reason.NOT_A_MESSAGE, why=Fault.WRONG, field=field)
    why = Fault.MISSING if named[1].startswith("missing") else Fault.UNKNOWN
    return Refusal(Reason.NOT_A_MESSAGE, why=why, field=f"{field}.{named[2]}")
