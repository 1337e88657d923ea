"""Where candidates come from: which tests may matter to which others, before anything was tried."""
