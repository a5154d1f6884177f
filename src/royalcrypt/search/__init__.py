"""The compiled backend: the rules as machine code on NumPy records, searches, and the value network."""
