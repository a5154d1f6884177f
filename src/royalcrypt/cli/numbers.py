"""Numbers as they are given on the command line."""

import re

from royalcrypt.notation.reasons import Reason, Refusal


def whole(name: str, text: str, *, least: int, most: int | None = None) -> int:
    """A whole number within bounds; refused with the option's name."""
    if re.fullmatch(r"[0-9]{1,40}", text, re.ASCII):
        number = int(text)
        if number >= least and (most is None or number <= most):
            return number
    if most is None:
        raise Refusal(Reason.WRONG_NUMBER, option=name, found=text, least=least)
    raise Refusal(Reason.NUMBER_OUT_OF_RANGE, option=name, found=text, least=least, most=most)
