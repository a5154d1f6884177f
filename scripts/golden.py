"""Write the golden records anew: read the diff before you commit it.

python scripts/golden.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.golden.games import FOLDER, GAMES


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        text = game.text()
        is_new = not game.path.exists() or game.path.read_text("utf-8") != text
        game.path.write_text(text, "utf-8")
        print(f"{game.path.name}: {'written' if is_new else 'as before'}")


if __name__ == "__main__":
    main()
