"""What crawl strategies reach, at which cost."""
