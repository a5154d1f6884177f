"""WebSocket sessions, and the updates sent to them."""
