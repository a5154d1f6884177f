"""Questions about the game, answered with many games of strong players."""
