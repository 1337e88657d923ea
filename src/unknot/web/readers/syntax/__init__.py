"""What reading Java and JavaScript has in common: trees, a small language that both are put into, and its reader."""
