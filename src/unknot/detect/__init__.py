"""Detectors: find the dependencies between tests by running orders."""
