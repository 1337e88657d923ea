"""Orders that reach coverage early and respect dependencies."""
