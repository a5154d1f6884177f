"""The documented import path of ``plain_backend``."""

from royalcrypt.lab.backends import plain_backend as plain_carrier

__all__ = ["plain_carrier"]
