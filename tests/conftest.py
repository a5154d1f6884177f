"""Settings for all tests."""

import os
import signal
from secrets import token_hex

from hypothesis import HealthCheck, settings

# Shared machines are slow at times: slowness is measured in benchmarks, never in a test.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

# Tests that were started in the background may have to ignore Ctrl-C, and what they start would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Ray reads these once in a process: its clusters let in nobody but us, and tell nobody of it.
os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token_hex(32))
