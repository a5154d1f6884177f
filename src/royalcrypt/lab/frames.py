"""Tables for research: they need pyarrow and pandas (``pip install royalcrypt[data]``)."""

from importlib.util import find_spec
from typing import Any

from royalcrypt.notation.reasons import Reason, Refusal


def must_have_frames() -> None:
    """Refuse what could not be written or shown, before somebody waits for it."""
    if find_spec("pyarrow") is None or find_spec("pandas") is None:
        raise Refusal(Reason.NO_DATA_FRAMES)


def arrow() -> Any:
    """The library, which has no types of its own."""
    must_have_frames()
    import pyarrow as pa

    return pa


def data_frame(rows: list[dict[str, Any]]) -> Any:
    """A ``pandas.DataFrame`` of these rows."""
    must_have_frames()
    import pandas as pd

    return pd.DataFrame(rows)
