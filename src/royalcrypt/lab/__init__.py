"""The laboratory: simulations, tournaments, studies, analyses and training with many games."""
