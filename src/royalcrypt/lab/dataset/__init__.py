"""Data sets: many games of one bot as tables. Every game can be replayed."""

from royalcrypt.lab.dataset.reader import Dataset

__all__ = ["Dataset"]
