"""The rules, example by example, with their numbers."""
