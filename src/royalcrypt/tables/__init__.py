"""Live tables: seats, clocks, chat, take-over and rematch. Callers pass the time; nothing here does I/O."""
