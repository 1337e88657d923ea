"""The MySQL experiment of the PFAST paper on MariaDB's own test suites."""
