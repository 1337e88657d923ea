"""What the tests of a suite cover, read from files and compared with what has changed."""
