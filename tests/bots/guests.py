"""Bots of another package, as pip would install it: by entry points, in a folder of its own."""

from pathlib import Path

COUNTING = """
from royalcrypt.rules.reveal import row_length

class Bot:
    name = "counting"
    needs_compiler = True
    entries = (row_length,)

    def choose(self, view, budget):
        return next(view.moves())
"""
"""Its machine code is made in a moment."""
IMPOSSIBLE = """
def shout(word: str) -> int:
    return len(word)

class Bot:
    name = "impossible"
    needs_compiler = True
    entries = (shout,)

    def choose(self, view, budget):
        return next(view.moves())
"""
PLAIN = """
print("compiling seer, or so", end="")

class Bot:
    name = "plain"

    def choose(self, view, budget):
        return next(view.moves())
"""
HANGING = """
import time
time.sleep(600)
"""
BROKEN = """
raise SystemExit("no idea")
"""


def install(folder: Path, **sources: str) -> None:
    """A bot called Bot in each source; the name says where."""
    described = folder / "guests-1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n", "utf-8")
    lines = [f"{name} = {name}_guest:Bot" for name in sources]
    (described / "entry_points.txt").write_text("\n".join(["[royalcrypt.bots]", *lines]) + "\n", "utf-8")
    for name, source in sources.items():
        (folder / f"{name}_guest.py").write_text(source, "utf-8")
