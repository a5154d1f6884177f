"""The server under load: a thousand tables, four thousand sockets, beside the barest program for it."""
