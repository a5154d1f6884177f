"""The server: settings, keys, logs, the application and how it is started."""
