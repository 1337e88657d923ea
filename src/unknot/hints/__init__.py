"""Where candidates come from: which tests may matter to which others, before any is tried."""
