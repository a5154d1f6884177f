"""Make the machine code that servers and bot-workers need, where ROYALCRYPT_CACHE_DIR says, and fail if it fails.

For images and packages that shall not compile at their first start. Set NUMBA_CPU_NAME=generic here and there,
and the code serves every processor of the kind.
"""

from royalcrypt.bots.compiling import compile_entry, entries_named
from royalcrypt.bots.registry import COMPILED
from royalcrypt.server.analyst import ANALYSIS


def main() -> None:
    for name in (*COMPILED, ANALYSIS):
        for entry in entries_named(name):
            compile_entry(entry)


if __name__ == "__main__":
    main()
