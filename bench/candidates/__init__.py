"""What each configuration of suspects saves, beside the TEDD paper's Table 3."""
