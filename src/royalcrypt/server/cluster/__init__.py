"""Several processes as one server: hints between them, and polling of what the others have changed."""
