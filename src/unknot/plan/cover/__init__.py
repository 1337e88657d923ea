"""The cheapest part of a suite that has the same coverage and can run by itself."""
