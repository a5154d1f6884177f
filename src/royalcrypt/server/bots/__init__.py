"""Bot moves, game analyses and what-if lines, computed in worker processes."""
