"""Accounts: identities, sign-in, tokens, and account deletion."""
