"""Many games, in order, on one core or several; the same games whatever they run on."""

from collections.abc import Iterator
from dataclasses import dataclass

from royalcrypt.lab.carriers import COMPILED, PLAIN, Carrier, can_compile, carrier_named, must_compile
from royalcrypt.lab.crew import Alone, Crew
from royalcrypt.lab.tables import Outcome, Setting, batch_outcomes, is_all_random, play_batch, play_game

WORTH_LOADING, WORTH_COMPILING = 2_000, 20_000
"""Games of random players from which the compiled carrier saves time: once compiled, and before that."""
AT_ONCE = 5_000
"""Compiled games of random players between two looks at the progress."""
BATCH = 16
"""Games of other bots that one worker plays in a row."""


def best_carrier(setting: Setting, games: int, *, is_recorded: bool) -> str:
    """The carrier that is likely to be done first; what comes out is the same."""
    if is_recorded or not is_all_random(setting) or games < WORTH_LOADING or not can_compile():
        return PLAIN
    return PLAIN if games < WORTH_COMPILING and must_compile(step_by_step=False) else COMPILED


def is_step_by_step(setting: Setting, *, is_recorded: bool) -> bool:
    """Whether each step is looked at; else the compiled carrier plays whole games at once."""
    return is_recorded or not is_all_random(setting)


@dataclass(frozen=True, slots=True)
class Batch:
    """Games that one worker plays in a row."""

    setting: Setting
    numbers: range
    carrier: str
    is_recorded: bool


def simulate(
    setting: Setting, games: int, carrier: Carrier, *, is_recorded: bool = False, crew: Crew | None = None
) -> Iterator[Outcome]:
    """Play games 0, 1, … of the setting's seed; their order and outcomes do not depend on who plays them."""
    crew = crew or Alone()
    if carrier.name == COMPILED and not is_step_by_step(setting, is_recorded=is_recorded):
        played = crew.do(play_batch, ((setting, numbers) for numbers in cut(games, AT_ONCE)))
        for numbers, batch in zip(cut(games, AT_ONCE), played, strict=True):
            yield from batch_outcomes(setting, numbers, batch)
        return
    if isinstance(crew, Alone):  # Each game is told as soon as it is over.
        for number in range(games):
            yield play_game(setting, number, carrier, is_recorded=is_recorded)
        return
    batches = (Batch(setting, numbers, carrier.name, is_recorded) for numbers in cut(games, BATCH))
    for outcomes in crew.do(play_in_a_row, batches):
        yield from outcomes


def cut(games: int, size: int) -> Iterator[range]:
    return (range(first, min(first + size, games)) for first in range(0, games, size))


def play_in_a_row(batch: Batch) -> list[Outcome]:
    carrier = carrier_named(batch.carrier)
    return [
        play_game(batch.setting, number, carrier, is_recorded=batch.is_recorded) for number in batch.numbers
    ]
