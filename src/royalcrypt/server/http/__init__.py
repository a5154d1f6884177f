"""The HTTP layer: REST routes, static files, security headers and rate limits."""
