"""The documented import path of ``royalcrypt.play.reconstruction.reconstructed``."""

from royalcrypt.play.reconstruction import reconstructed as imagined

__all__ = ["imagined"]
