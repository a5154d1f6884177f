"""Documented name of ``royalcrypt.play.reconstruction``."""

from royalcrypt.play.reconstruction import reconstructed as imagined

__all__ = ["imagined"]
