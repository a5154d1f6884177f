"""Games: refusals, undo, records, chance."""
