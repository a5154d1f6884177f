"""Pictures of what was measured; they need matplotlib (``pip install royalcrypt[plots]``)."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from royalcrypt.lab.calibration import Calibration
from royalcrypt.notation.reasons import Reason, Refusal

ENDINGS = (".png", ".svg")


def must_be_plottable(file: Path) -> None:
    """Refuse what could not be drawn, before somebody waits for it."""
    if file.suffix not in ENDINGS:
        raise Refusal(Reason.NOT_A_PICTURE, file=str(file), endings=", ".join(ENDINGS))
    if find_spec("matplotlib") is None:
        raise Refusal(Reason.NO_PLOTS)


def draw_calibration(found: dict[str, Calibration], said: str, came: str, file: Path) -> None:
    """What was said against what came, by company; on the diagonal, both are the same."""
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(6, 6), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, one in found.items():
        bins = [bin_ for bin_ in one.bins if bin_.positions]
        axes.plot(
            [bin_.expected for bin_ in bins],
            [bin_.happened for bin_ in bins],
            marker="o",
            markersize=4,
            label=f"{name}: {one.error:.1%}",
        )
    axes.set(xlabel=said, ylabel=came, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.legend()
    figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
