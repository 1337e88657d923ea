"""Recorded crawls: steps and observations as bytes, and an application that answers from them."""
