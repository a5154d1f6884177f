"""A bot of ours as a program on somebody's server: it speaks docs/bot-api.md like any other."""
