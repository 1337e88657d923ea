"""`python -m unknot`."""

from unknot.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
