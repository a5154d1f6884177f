"""A slow, naive second implementation of Crypt, written from RULES.md alone, to keep the engine honest."""
