"""Shared by all detectors: search session, findings, parallel searches, searches for needs and polluters, proofs."""
