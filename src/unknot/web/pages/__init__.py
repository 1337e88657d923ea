"""Page objects: reading them, and what they say about navigation."""
