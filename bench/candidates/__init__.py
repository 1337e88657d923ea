"""What each configuration of hints saves, beside the TEDD paper's Table 3."""
