"""Crawls of web applications."""
