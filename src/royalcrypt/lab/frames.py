"""Data frames and Arrow tables. The module needs pyarrow and pandas (``pip install royalcrypt[data]``)."""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from royalcrypt.lab.tables import Outcome
from royalcrypt.notation.reasons import Reason, Refusal


def must_have_frames() -> None:
    """Raise an error early if the libraries for data frames are not installed."""
    if find_spec("pyarrow") is None or find_spec("pandas") is None:
        raise Refusal(Reason.NO_DATA_FRAMES)


def arrow() -> Any:
    """Import the ``pyarrow`` package, which has no type stubs."""
    must_have_frames()
    import pyarrow as pa

    return pa


def parquet() -> Any:
    """Import ``pyarrow.parquet``, which reads and writes files."""
    must_have_frames()
    import pyarrow.parquet as pq

    return pq


def data_frame(rows: list[dict[str, Any]]) -> Any:
    """A ``pandas.DataFrame`` of these rows."""
    must_have_frames()
    import pandas as pd

    return pd.DataFrame(rows)


def outcome_frame(outcomes: Iterable[Outcome]) -> Any:
    """Outcomes of ``simulate`` as a ``pandas.DataFrame``: one row for each game and seat."""
    return data_frame(
        [
            {
                "game": number,
                "seat": seat,
                "bot": outcome.bots[seat],
                "score": score,
                "is_winner": seat in outcome.winners,
                "rounds": outcome.rounds,
                "decisions": outcome.decisions,
            }
            for number, outcome in enumerate(outcomes)
            for seat, score in enumerate(outcome.scores)
        ]
    )
