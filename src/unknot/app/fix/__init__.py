"""Changes of the tests that remove a dependency, tried in a copy of the project."""
