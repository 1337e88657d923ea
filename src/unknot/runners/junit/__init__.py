"""JUnit 4 and 5 suites: an explicit list of methods in one Java VM."""
