"""boardgame.io with a trivial game, for comparison: its server, those who play there, and their start."""
