"""How fast the project is, beside OpenSpiel in the same run: ``make bench``. Figures, never a test."""
