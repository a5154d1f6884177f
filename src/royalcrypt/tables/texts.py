"""Cleaning of names, chat lines and memos, so that they cannot break the surrounding layout."""

import unicodedata
from enum import StrEnum
from typing import Literal

from royalcrypt.notation.reasons import Reason, Refusal

MAX_NAME_LENGTH = 24
MAX_CHAT_LENGTH = 300
MAX_MEMO_LENGTH = 2000


class Audience(StrEnum):
    """Recipients of a chat line; players do not see spectators' chat, because it could be advice."""

    TABLE = "table"
    SPECTATORS = "spectators"


Reaction = Literal["hello", "bravo", "ouch", "luck", "hurry", "thanks", "laugh", "think"]


def clean_name(text: str) -> str:
    """Clean a name to one line of visible characters; raises Refusal (WRONG_NAME) if empty or too long."""
    return _clean_line(text, MAX_NAME_LENGTH, Reason.WRONG_NAME)


def clean_chat(text: str) -> str:
    return _clean_line(text, MAX_CHAT_LENGTH, Reason.WRONG_CHAT)


def _clean_line(text: str, most: int, reason: Reason) -> str:
    cleaned = _clean(text)
    if not 1 <= len(cleaned) <= most:
        raise Refusal(reason, most=most)
    return cleaned


def clean_memo(text: str) -> str:
    """Clean a memo but keep its line breaks; raises Refusal (WRONG_MEMO) if it is too long."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    memo = "".join(sign for sign in lines if sign == "\n" or unicodedata.category(sign) not in ("Cc", "Cs"))
    if len(memo) > MAX_MEMO_LENGTH:
        raise Refusal(Reason.WRONG_MEMO, most=MAX_MEMO_LENGTH)
    return memo


UNSEEN = ("Cc", "Cf", "Cs", "Co")
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and a symbol without visible form."""
JOINER = "\u200d"
"""Zero-width joiner, which composes emoji and some letters."""
MARKS = ("Mn", "Me")
MAX_MARKS = 3
"""Maximum number of combining marks per character; no living language needs more."""


def _clean(text: str) -> str:
    """Remove invisible characters, direction changes and stacked marks from a text."""
    kept: list[str] = []
    marks, is_joined = MAX_MARKS, False
    for sign in unicodedata.normalize("NFC", text):
        category = unicodedata.category(sign)
        if sign.isspace():
            marks, is_joined = MAX_MARKS, False
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif sign == JOINER:
            is_joined = bool(kept) and kept[-1] != " "
        elif category in MARKS:
            is_joined = False
            if marks < MAX_MARKS:
                marks += 1
                kept.append(sign)
        elif category not in UNSEEN and sign not in BLANKS:
            kept += (JOINER, sign) if is_joined else (sign,)
            marks, is_joined = 0, False
    return unicodedata.normalize("NFC", "".join(kept)).rstrip()
