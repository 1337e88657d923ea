"""unknot finds the dependencies in a test suite and runs the suite in parallel without breaking it.

Nothing is imported here: this package is also loaded inside the processes under test, where every import costs.
"""

__version__ = "0.1.0"
