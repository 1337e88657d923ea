"""What the workers of a run wrote down."""

from pathlib import Path


def ran_by_worker(directory: Path) -> dict[str, list[str]]:
    """The tests that each worker ran, in its order: from lines `worker test` in `ran.txt`, which the suite writes."""
    found: dict[str, list[str]] = {}
    path = directory / "ran.txt"
    for line in path.read_text().splitlines() if path.exists() else ():
        worker, name = line.split()
        found.setdefault(worker, []).append(name)
    return found
