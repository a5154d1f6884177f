"""Version of the running package."""

from importlib.metadata import version

VERSION = version("royalcrypt")
