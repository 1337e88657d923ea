"""Navigation graphs of web applications: text, JSON, DOT, Mermaid, GraphML."""
