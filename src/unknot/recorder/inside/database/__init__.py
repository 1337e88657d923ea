"""Databases, by table."""
