"""The compiled carrier: the rules as machine code on NumPy records, and playouts by the million."""
