"""Shared by all detectors: search session, findings, parallel searches, subset search, proofs, cost."""
