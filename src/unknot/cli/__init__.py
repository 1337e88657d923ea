"""The command line, a client of `unknot.app`: one file per verb."""
