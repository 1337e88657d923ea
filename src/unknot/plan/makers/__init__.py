"""The makers of plans; `registry` has them by name."""
