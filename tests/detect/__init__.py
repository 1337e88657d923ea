"""Laws of the detectors, over suites that exist only as their truth."""
