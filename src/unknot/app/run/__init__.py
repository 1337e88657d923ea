"""A parallel run of the suite by a plan, and what it teaches about the plan."""
