"""Crypt in a terminal: screens, prompts, the story told, saves and help."""
