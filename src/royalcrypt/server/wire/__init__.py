"""What goes over the socket, both ways: strict, bounded, and described by a JSON Schema made from it."""
