"""The documented import path of ``compiled`` for bots of other packages."""

from royalcrypt.search.compilation import compiled

__all__ = ["compiled"]
