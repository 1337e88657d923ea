"""What Python test code says: a small reader that follows calls and values through a project, and runs none of it."""
