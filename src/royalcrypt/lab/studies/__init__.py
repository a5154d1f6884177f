"""Studies: questions about the game, answered with statistics of many games of strong players."""
