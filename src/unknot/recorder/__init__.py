"""What flows between tests: what one leaves behind, which test finds it, and on which lines."""
