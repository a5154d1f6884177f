"""boardgame.io with a trivial game, for comparison: the server, those who play there, and how both are started."""
