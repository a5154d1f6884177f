"""How long each request, command and periodic task blocks the event loop, with the largest allowed input."""
