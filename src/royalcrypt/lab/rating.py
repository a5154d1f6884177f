"""Ratings of bots: matches of pairs in the same deals, fitted to a Bradley-Terry model.

``random`` is anchored at 1000.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations

from royalcrypt.bots.ratings import BotRating, Match, SavedRatings, Solo, TableRatings
from royalcrypt.lab.backends import backend_named
from royalcrypt.lab.bradley_terry import fit
from royalcrypt.lab.simulate import quickest_backend, simulate
from royalcrypt.lab.summary import Summary
from royalcrypt.lab.tables import Setting
from royalcrypt.lab.worker_pools import WorkerPool

ANCHOR, ANCHORED_AT = "random", 1000
SEED = 2026


def match_setting(one: str, other: str, players: int) -> Setting:
    """The setting of a match: the bots have adjacent halves of the seats and swap seats in each deal."""
    half = players // 2
    return Setting(players, (one,) * half + (other,) * half, SEED, collectors=None, is_swapped=True)


def solo_setting(name: str) -> Setting:
    return Setting(1, (name,), SEED, collectors="AAAAAA")


def whole_deals(games: int, players: int) -> int:
    """The number of games rounded up to whole deals, as each deal is played from every seat."""
    return -(-games // players) * players


def pairings(names: Iterable[str], measured: Iterable[str]) -> list[tuple[str, str]]:
    """All pairs that include at least one of the bots to be measured."""
    wanted = set(measured)
    return [pair for pair in combinations(names, 2) if wanted.intersection(pair)]


def play_match(
    pair: tuple[str, str],
    players: int,
    games: int,
    *,
    date: str,
    pool: WorkerPool,
    advance: Callable[[int], None],
) -> Match:
    setting = match_setting(*pair, players)
    summary = _summary(setting, games, pool, advance)
    return Match(pair, games, round(summary.bots[pair[0]].wins(), 4), date, command_for(setting, games))


def play_solo(name: str, games: int, *, date: str, pool: WorkerPool, advance: Callable[[int], None]) -> Solo:
    setting = solo_setting(name)
    summary = _summary(setting, games, pool, advance)
    return Solo(round(summary.bots[name].scores.mean(), 2), games, date, command_for(setting, games))


def _summary(setting: Setting, games: int, pool: WorkerPool, advance: Callable[[int], None]) -> Summary:
    backend = backend_named(quickest_backend(setting, games, is_recorded=False))
    summary = Summary(setting)
    for outcome in simulate(setting, games, backend, pool=pool):
        summary.add(outcome)
        advance(1)
    return summary


def command_for(setting: Setting, games: int) -> str:
    return (
        f"royalcrypt simulate --players {setting.players} --bots {','.join(setting.bots)} --games {games} "
        f"--collectors {setting.collectors or 'random'} --seed {setting.seed}"
        + (" --swap" if setting.is_swapped else "")
    )


def rivalry_of(ratings: SavedRatings, players: int) -> TableRatings:
    return ratings.two if players == 2 else ratings.four


def add_match(rivalry: TableRatings, match: Match) -> None:
    """Replace the previous match of these two bots, and fit all ratings again."""
    kept = [old for old in rivalry.matches if set(old.bots) != set(match.bots)]
    rivalry.matches = [*kept, match]
    games: dict[str, int] = defaultdict(int)
    for played in rivalry.matches:
        for name in played.bots:
            games[name] += played.games
    fitted = fit_ratings(rivalry.matches)
    rivalry.ratings = {name: BotRating(round(rating), games[name]) for name, rating in fitted.items()}


def fit_ratings(matches: Iterable[Match]) -> dict[str, float]:
    """The ratings of all bots connected with the anchor by matches, weakest first."""
    wins: dict[str, dict[str, float]] = defaultdict(dict)
    met: dict[str, dict[str, int]] = defaultdict(dict)
    for match in matches:
        one, other = match.bots
        met[one][other] = met[other][one] = match.games
        wins[one][other], wins[other][one] = match.wins, match.games - match.wins
    names = _reached(met)
    if not names:
        return {}
    fitted = fit(
        [[wins[one].get(other, 0.0) for other in names] for one in names],
        [[met[one].get(other, 0) for other in names] for one in names],
    )
    found = {name: ANCHORED_AT + rating for name, rating in zip(names, fitted, strict=True)}
    return dict(sorted(found.items(), key=lambda rated: rated[1]))


def _reached(met: dict[str, dict[str, int]]) -> list[str]:
    found = [ANCHOR] if ANCHOR in met else []
    for name in found:
        found += [other for other in met[name] if other not in found]
    return found
