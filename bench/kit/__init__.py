"""What both benchmarks need: environments, measured processes, tables."""
