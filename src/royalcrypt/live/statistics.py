"""Statistics of one person's finished games.

Games in which one person held several seats (people sharing a screen) are in the history, but count
nowhere else. Games that a bot finished for someone count normally.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from royalcrypt.live.stores import PROVISIONAL_GAMES, FinishedGame, PersonRating, SeatRow
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.play.results import title_of

CHARTED_GAMES = 200
"""Maximum number of most recent games in charts."""
RIVALS = 50
BOT = "bot:"
"""Prefix of a bot's ``kind``, followed by its name."""
TITLES = ("fool", "petty", "affluent", "magnificent")
RivalKind = Literal["person", "program", "bot", "gone"]


class Tally(msgspec.Struct):
    games: int
    wins: int
    average: float
    """Average score."""
    best: int


class OfPlayers(Tally):
    players: int


class OfSide(msgspec.Struct):
    """Results of games with one side of a Collector, multiplayer and solo."""

    collector: str
    side: str
    games: int = 0
    wins: int = 0
    average: float = 0.0
    solo_games: int = 0
    solo_average: float = 0.0


class Alone(msgspec.Struct):
    """Results of solo games (Only Child, R10)."""

    games: int
    average: float
    best: int
    best_table: str | None
    titles: dict[str, int]
    """Maps each solo title (R10.7) to how often it was reached."""


class Rival(msgspec.Struct):
    kind: RivalKind
    games: int
    ahead: int
    """Number of games in which the person finished in a better place than the rival."""
    behind: int
    person: str | None = None
    name: str = ""
    level: str | None = None


class Point(msgspec.Struct):
    """One game in a chart."""

    table: str
    ended: int
    players: int
    score: int
    place: int
    is_winner: bool
    title: str | None = None
    """Title reached in a solo game (R10.7)."""
    rating: int | None = None
    """Rating after the game, if the game was rated."""


class Standing(msgspec.Struct):
    rating: int
    games: int
    is_provisional: bool
    needed: int
    """Number of further rated games until the rating is no longer provisional."""


class Statistics(msgspec.Struct):
    games: int
    """Number of all finished games."""
    shared: int
    """Number of games in which the person held several seats; these count nowhere else."""
    together: Tally
    """Results of games with two to four players."""
    alone: Alone
    by_players: list[OfPlayers]
    by_side: list[OfSide]
    rivals: list[Rival]
    streak: int
    """Current streak of wins in games with others."""
    longest_streak: int
    timeline: list[Point]
    """Most recent games, oldest first."""
    rating: Standing | None = None
    """Rating from games in which each seat had a different person; None before the first such game."""


Mine = tuple[FinishedGame, SeatRow]


def statistics_of(person: str, games: Sequence[FinishedGame], rating: PersonRating | None) -> Statistics:
    """Compute the statistics of a person; ``games`` must be in the order in which they ended."""
    mine = [(game, game.seats_of(person)) for game in games]
    counted = [(game, seats[0]) for game, seats in mine if len(seats) == 1]
    together = [(game, seat) for game, seat in counted if game.players > 1]
    alone = [(game, seat) for game, seat in counted if game.players == 1]
    streak, longest = streaks(seat.is_winner for _, seat in together)
    return Statistics(
        games=len(games),
        shared=len(games) - len(counted),
        together=tally(together),
        alone=alone_of(alone),
        by_players=by_players(together),
        by_side=by_side(together, alone),
        rivals=rivals_of(together),
        streak=streak,
        longest_streak=longest,
        timeline=[point_of(*one) for one in counted[-CHARTED_GAMES:]],
        rating=None if rating is None else standing_of(rating),
    )


def standing_of(rating: PersonRating) -> Standing:
    needed = max(0, PROVISIONAL_GAMES - rating.games)
    return Standing(rating.skill.shown, rating.games, is_provisional=needed > 0, needed=needed)


def tally(games: Sequence[Mine]) -> Tally:
    scores = [seat.score for _, seat in games]
    return Tally(
        games=len(games),
        wins=sum(seat.is_winner for _, seat in games),
        average=mean(scores),
        best=max(scores, default=0),
    )


def alone_of(games: Sequence[Mine]) -> Alone:
    titles = Counter(title_of(seat.score) for _, seat in games)
    best = max(games, key=lambda one: one[1].score, default=None)
    found = tally(games)
    return Alone(
        games=found.games,
        average=found.average,
        best=found.best,
        best_table=None if best is None else best[0].table,
        titles={title: titles[title] for title in TITLES},
    )


def by_players(games: Sequence[Mine]) -> list[OfPlayers]:
    groups: dict[int, list[Mine]] = defaultdict(list)
    for one in games:
        groups[one[0].players].append(one)
    return [
        OfPlayers(players=players, **msgspec.structs.asdict(tally(groups[players])))
        for players in sorted(groups)
    ]


def by_side(together: Sequence[Mine], alone: Sequence[Mine]) -> list[OfSide]:
    """Return the results with each of the twelve Collector sides, in the order of card types."""
    found: list[OfSide] = []
    for kind, collector in enumerate(TYPE_NAMES):
        for side in "AB":
            others = tally([one for one in together if one[0].collectors[kind] == side])
            solo = tally([one for one in alone if one[0].collectors[kind] == side])
            found.append(
                OfSide(
                    collector=collector,
                    side=side,
                    games=others.games,
                    wins=others.wins,
                    average=others.average,
                    solo_games=solo.games,
                    solo_average=solo.average,
                )
            )
    return found


def rivals_of(games: Sequence[Mine]) -> list[Rival]:
    """Return rivals, most frequent first; a rival with several seats in a game counts by the best seat."""
    found: dict[tuple[RivalKind, str], Rival] = {}
    for game, mine in games:
        best: dict[tuple[RivalKind, str], SeatRow] = {}
        for seat in game.seats:
            if seat is not mine:
                key = rival_key(seat)
                best[key] = min(best.get(key, seat), seat, key=lambda one: one.place)
        for key, seat in best.items():
            rival = found.setdefault(key, new_rival(key, seat))
            rival.games += 1
            rival.ahead += mine.place < seat.place
            rival.behind += mine.place > seat.place
    return sorted(found.values(), key=lambda rival: (-rival.games, rival.kind, rival.name))[:RIVALS]


def rival_key(seat: SeatRow) -> tuple[RivalKind, str]:
    if seat.kind.startswith(BOT):
        return "bot", seat.kind.removeprefix(BOT)
    if seat.person is None or seat.name is None:
        return "gone", ""
    return ("program" if seat.is_program else "person"), seat.person


def new_rival(key: tuple[RivalKind, str], seat: SeatRow) -> Rival:
    kind, which = key
    rival = Rival(kind, games=0, ahead=0, behind=0)
    if kind == "bot":
        rival.level = which
    elif kind != "gone":
        rival.person, rival.name = which, seat.name or ""
    return rival


def streaks(wins: Iterable[bool]) -> tuple[int, int]:
    """Return the lengths of the current and of the longest winning streak."""
    streak = longest = 0
    for is_won in wins:
        streak = streak + 1 if is_won else 0
        longest = max(longest, streak)
    return streak, longest


def point_of(game: FinishedGame, seat: SeatRow) -> Point:
    return Point(
        table=game.table,
        ended=game.ended,
        players=game.players,
        score=seat.score,
        place=seat.place,
        is_winner=seat.is_winner,
        title=title_of(seat.score) if game.players == 1 else None,
        rating=None if seat.skill is None else seat.skill.shown,
    )


def mean(scores: Sequence[int]) -> float:
    return round(sum(scores) / len(scores), 2) if scores else 0.0
