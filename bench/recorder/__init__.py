"""Well-known suites with the recorder and without it, side by side."""
