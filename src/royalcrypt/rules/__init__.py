"""The rules of Crypt, written once. They run on plain Python objects and on compiled records."""
