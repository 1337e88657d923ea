"""Simulated web applications: pages, actions and guards over hidden state."""
