"""The rules of Crypt, written once, for plain Python objects and for compiled records alike."""
