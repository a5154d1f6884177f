"""The most recent measured ratings of the bots, in the data file ``ratings.json``."""

from pathlib import Path

import msgspec

from royalcrypt.notation.reasons import Reason, Refusal

FILE = Path(__file__).with_name("ratings.json")


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match of two bots, each in half of the seats, in paired deals."""

    bots: tuple[str, str]
    games: int
    wins: float
    """The first bot's wins; the others belong to the second bot. A shared win counts as an equal part."""
    date: str
    command: str
    """The command that plays exactly these games."""


class BotRating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rating: int
    games: int


class Solo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's result in solo games against the Ghost, all Collectors on side A."""

    score: float
    games: int
    date: str
    command: str


class TableRatings(msgspec.Struct, forbid_unknown_fields=True):
    """Matches at tables of one size, with the ratings derived from them."""

    ratings: dict[str, BotRating] = msgspec.field(default_factory=dict[str, BotRating])
    matches: list[Match] = msgspec.field(default_factory=list[Match])


class SavedRatings(msgspec.Struct, forbid_unknown_fields=True):
    two: TableRatings = msgspec.field(default_factory=TableRatings)
    four: TableRatings = msgspec.field(default_factory=TableRatings)
    solo: dict[str, Solo] = msgspec.field(default_factory=dict[str, Solo])


def load_ratings(file: Path) -> SavedRatings:
    """Read the ratings: none if the file does not exist. Raises ``Refusal`` if it cannot be read."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=SavedRatings)
    except FileNotFoundError:
        return SavedRatings()
    except msgspec.DecodeError as error:
        raise Refusal(Reason.CANNOT_READ, file=str(file), why=str(error)) from error
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=str(file), why=str(error.strerror)) from error


def save_ratings(ratings: SavedRatings, file: Path) -> None:
    """Write the ratings atomically."""
    new = file.with_suffix(".new")
    try:
        new.write_bytes(msgspec.json.format(msgspec.json.encode(ratings)) + b"\n")
        new.replace(file)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(file), why=str(error.strerror)) from error
