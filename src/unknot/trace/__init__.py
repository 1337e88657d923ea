"""What tests leave behind, who finds it, and on which lines."""
