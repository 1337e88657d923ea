"""What each way back to a clean state costs, on real servers."""
