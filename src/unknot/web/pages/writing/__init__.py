"""Writing page objects in Python, from what a crawl has learned of an application."""
