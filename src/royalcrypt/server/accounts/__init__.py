"""Identities, sign-in, tokens and the deletion of accounts."""
