"""One module for each tool: how it is called, and how its answer is read."""
