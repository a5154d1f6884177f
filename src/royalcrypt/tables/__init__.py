"""Live tables: seats, clocks, chat, take-over and rematch. Nothing here reads a clock or touches a disk."""
