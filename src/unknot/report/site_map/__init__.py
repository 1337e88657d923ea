"""A web application as an HTML page: its pages, what can be done there, and where that leads."""
