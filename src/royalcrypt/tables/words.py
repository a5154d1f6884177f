"""Names and chat: plain text that cannot disturb what stands around it."""

import re
import unicodedata
from enum import StrEnum
from typing import Literal

from royalcrypt.notation.reasons import Reason, Refusal

LONGEST_NAME = 24
LONGEST_CHAT = 300


class Audience(StrEnum):
    """Who reads what is said. Spectators' talk is not for players: it could be advice."""

    TABLE = "table"
    SPECTATORS = "spectators"


Reaction = Literal["hello", "bravo", "ouch", "luck", "hurry", "thanks", "laugh", "think"]


def clean_name(text: str) -> str:
    """One line of visible characters; refused if nothing is left or it is too long."""
    name = _clean(text)
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refusal(Reason.WRONG_NAME, most=LONGEST_NAME)
    return name


def clean_chat(text: str) -> str:
    said = _clean(text)
    if not 1 <= len(said) <= LONGEST_CHAT:
        raise Refusal(Reason.WRONG_CHAT, most=LONGEST_CHAT)
    return said


MARKS = "[\u0300-\u036f\u0483-\u0489\u20d0-\u20ff]"
UNSEEN = ("Cc", "Cf", "Cs", "Co")
JOINER = "\u200d"
"""Holds pictures of several signs together."""


def _clean(text: str) -> str:
    """Without control and formatting signs (which could turn the writing around) and stacks of marks."""
    spaced = re.sub(r"\s+", " ", unicodedata.normalize("NFC", text))
    kept = "".join(
        sign
        for sign in spaced
        if sign == JOINER or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co")
    )
    return re.sub(f"({MARKS}{{2}}){MARKS}+", r"\1", kept).strip(f" {JOINER}")
