"""Detection on a suite that was searched before: only what a change can have altered is run."""
