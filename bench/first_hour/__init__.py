"""The first hour of a new user: five suites that nothing was tuned on."""
