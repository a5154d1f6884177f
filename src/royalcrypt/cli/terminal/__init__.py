"""The game in a terminal: screens, prompts, the event log, saves and help."""
