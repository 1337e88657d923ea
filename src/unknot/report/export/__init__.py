"""Results and plans in the formats of other tools."""
