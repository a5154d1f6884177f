"""The two carriers, plain objects and compiled records, side by side."""
