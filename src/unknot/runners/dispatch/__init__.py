"""From many orders to few tasks for workers, and from what came back to runs."""
