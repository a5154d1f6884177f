"""Write the golden records, walks, view changes and wire documents again: read the diff before you commit it.

python scripts/golden.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.compatibility import wire
from tests.golden import view_changes, walks
from tests.golden.games import FOLDER, GAMES


def write(path: Path, text: str) -> None:
    is_new = not path.exists() or path.read_text("utf-8") != text
    path.write_text(text, "utf-8")
    print(f"{path.name}: {'written' if is_new else 'as before'}")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        write(game.path, game.text())
    write(walks.PATH, walks.text())
    write(view_changes.PATH, view_changes.text())
    for name, text in wire.documents().items():
        write(wire.MADE / name, text)


if __name__ == "__main__":
    main()
