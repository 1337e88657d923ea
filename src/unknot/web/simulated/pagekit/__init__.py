"""pagekit, a content management system, as a simulated application."""
