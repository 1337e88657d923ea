"""pytest suites: warm processes that fork, or a fresh process for each order."""
