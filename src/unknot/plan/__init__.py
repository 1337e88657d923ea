"""Plans: what to run where. Makers make them; `check` verifies any of them and shares no code with a maker."""
