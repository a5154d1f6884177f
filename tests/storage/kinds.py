"""Tests of one kind of database alone."""

import pytest

ON_SQLITE = pytest.mark.parametrize("database", ["SQLite"], indirect=True)
ON_POSTGRES = pytest.mark.parametrize("database", ["PostgreSQL"], indirect=True)
