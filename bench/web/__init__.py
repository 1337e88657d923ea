"""A web application in a real browser: what detections and planned runs cost there."""
