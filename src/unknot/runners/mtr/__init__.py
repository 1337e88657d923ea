"""MariaDB's own test suite, through its own runner."""
