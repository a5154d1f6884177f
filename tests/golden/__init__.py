"""Games and counts that must stay as they are."""
