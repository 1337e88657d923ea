"""A web application as values: what is in view, what can be done, and what a crawl has learned of it."""
