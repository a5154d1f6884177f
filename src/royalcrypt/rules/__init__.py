"""The rules of Crypt as functions that run on plain Python objects and on compiled records."""
