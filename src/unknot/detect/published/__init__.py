"""Published detectors, one file each, and what they share."""
