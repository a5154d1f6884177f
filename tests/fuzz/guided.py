"""One campaign of one target: ``python -m tests.fuzz.guided TARGET LIBFUZZER-OPTIONS...``."""

import importlib
import sys
from typing import Any

if __name__ == "__main__":
    atheris: Any = importlib.import_module("atheris")  # which the environment of the tests does not have
    with atheris.instrument_imports(include=["royalcrypt"]):
        from tests.fuzz.targets import TARGETS
    _, name, *options = sys.argv
    atheris.Setup([name, *options], TARGETS[name])
    atheris.Fuzz()
