"""The compose file as a host has it who has filled in what must be."""

from tests.deploy import ROOT
from tests.deploy.compose import parts_of, read_compose, read_variables

EXAMPLE = ROOT / "deploy" / "env.example"
VARIABLES = read_variables(EXAMPLE) | {"POSTGRES_PASSWORD": "abc123", "REDIS_PASSWORD": "def456"}
FILE = read_compose(VARIABLES)
PARTS = parts_of(FILE)
