"""What a planned run disproved: why a test failed there, and what follows for the known dependencies."""
