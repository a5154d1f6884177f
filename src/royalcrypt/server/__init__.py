"""The server package: settings, the application, and everything that runs around it."""
