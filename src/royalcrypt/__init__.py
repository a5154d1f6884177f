"""The Royal Crypt: rules, play, bots and tools for a game of dice and cards."""
