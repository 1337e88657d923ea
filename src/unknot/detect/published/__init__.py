"""Detectors from the literature, one file each, and the graph, repair and driver that they share."""
