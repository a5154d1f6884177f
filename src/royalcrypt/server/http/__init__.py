"""REST routes, static files, security headers, rate limits."""
