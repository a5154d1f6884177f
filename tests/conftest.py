"""Settings for all tests."""

import signal

from hypothesis import HealthCheck, settings

# Shared machines are slow at times: slowness is measured in benchmarks, never in a test.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

# Tests that were started in the background may have to ignore Ctrl-C, and what they start would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
