"""Where candidates come from: position and recordings say which tests may affect which others, before any is tried."""
