"""Write the tutorial's lessons anew: read the diff before you commit it.

python scripts/tutorial.py
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.golden import lessons


def main() -> None:
    written = lessons.text()
    is_new = not lessons.PATH.exists() or lessons.PATH.read_text("utf-8") != written
    lessons.PATH.write_text(written, "utf-8")
    print(f"{lessons.PATH.name}: {'written' if is_new else 'as before'}")


if __name__ == "__main__":
    main()
