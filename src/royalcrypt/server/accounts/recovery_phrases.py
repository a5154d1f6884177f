"""Recovery phrases: 96-bit secrets as seven invented words that are easy to say and write in any language.

Each word has five letters, alternating consonants and vowels (as in proquints). Six words hold the bits; the
seventh is a checksum.
"""

import hashlib
import re
import secrets
import unicodedata

from royalcrypt.notation.reasons import Reason, Refusal

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
SECRET_BYTES, CHECK_BYTES, WORD_BYTES = 12, 2, 2
LETTERS = 5
WORDS = (SECRET_BYTES + CHECK_BYTES) // WORD_BYTES
SHIFTS = (12, 10, 6, 4, 0)
"""Bit position of each letter in the 16 bits of a word."""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def phrase_of(secret: bytes) -> str:
    whole = secret + _check(secret)
    pairs = [whole[at : at + WORD_BYTES] for at in range(0, len(whole), WORD_BYTES)]
    return " ".join(_word(int.from_bytes(pair)) for pair in pairs)


def secret_in(phrase: str) -> bytes:
    """Decode a typed phrase in any case, with any or no separators; raises Refusal if it is misspelt."""
    plain = unicodedata.normalize("NFKD", phrase).lower()
    letters = re.sub(r"[^a-z]", "", plain)
    if not re.fullmatch(rf"(?:{_PATTERN}){{{WORDS}}}", letters):
        raise Refusal(Reason.WRONG_PHRASE, why="spelling", words=WORDS)
    words = [letters[at : at + LETTERS] for at in range(0, len(letters), LETTERS)]
    whole = b"".join(_bits(word).to_bytes(WORD_BYTES) for word in words)
    if whole[SECRET_BYTES:] != _check(whole[:SECRET_BYTES]):
        raise Refusal(Reason.WRONG_PHRASE, why="spelling", words=WORDS)
    return whole[:SECRET_BYTES]


_PATTERN = f"[{CONSONANTS}][{VOWELS}]" * 2 + f"[{CONSONANTS}]"


def _word(bits: int) -> str:
    return "".join(
        VOWELS[bits >> shift & 3] if place % 2 else CONSONANTS[bits >> shift & 15]
        for place, shift in enumerate(SHIFTS)
    )


def _bits(word: str) -> int:
    return sum(
        (VOWELS if place % 2 else CONSONANTS).index(letter) << shift
        for place, (letter, shift) in enumerate(zip(word, SHIFTS, strict=True))
    )


def _check(secret: bytes) -> bytes:
    return hashlib.sha256(b"royalcrypt|" + secret).digest()[:CHECK_BYTES]
