"""The WebSocket wire format: typed messages in both directions, from which a JSON Schema is generated."""
