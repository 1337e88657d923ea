"""Results as graphs: DOT, Mermaid, GraphML."""
