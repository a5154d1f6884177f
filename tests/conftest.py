"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# Shared machines are slow at times: slowness is measured in benchmarks, never in a test.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
