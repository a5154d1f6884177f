"""Live tables without I/O: seats, clocks, chat, take-over and rematch. Callers pass the current time."""
