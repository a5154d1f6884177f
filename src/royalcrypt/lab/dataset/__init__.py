"""Data sets: many games of one bot as columns, each of which can be played again step by step."""

from royalcrypt.lab.dataset.reading import Dataset

__all__ = ["Dataset"]
