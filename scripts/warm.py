"""Make the machine code that servers and bot-workers need, for images that shall not compile when they start.

python scripts/warm.py

It is kept where ROYALCRYPT_CACHE_DIR says. With NUMBA_CPU_NAME=generic, here and where it runs, it serves any
processor of the kind.
"""

from royalcrypt.bots.compiling import compile_entry, entries_named
from royalcrypt.bots.registry import COMPILED
from royalcrypt.server.bots.analysis_process import ANALYSIS


def main() -> None:
    for name in (*COMPILED, ANALYSIS):
        for entry in entries_named(name):
            compile_entry(entry)


if __name__ == "__main__":
    main()
