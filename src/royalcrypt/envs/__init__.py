"""The game as an environment, for three worlds of research: Gymnasium, PettingZoo and OpenSpiel."""
