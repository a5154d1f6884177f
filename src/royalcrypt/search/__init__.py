"""The compiled backend: rules as machine code on NumPy records, search algorithms, and the value network."""
