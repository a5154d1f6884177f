"""Several processes as one server: hints between processes, and polling for each other's changes."""
