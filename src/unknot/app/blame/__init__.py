"""Finds out what breaks one test."""
