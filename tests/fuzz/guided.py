"""One campaign of one target: ``python -m tests.fuzz.guided TARGET LIBFUZZER-OPTIONS...``."""

import sys

import atheris

with atheris.instrument_imports(include=["royalcrypt"]):
    from tests.fuzz.targets import TARGETS

if __name__ == "__main__":
    _, name, *options = sys.argv
    atheris.Setup([name, *options], TARGETS[name])
    atheris.Fuzz()
