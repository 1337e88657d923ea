"""How large the HTML report is, and how it feels."""
