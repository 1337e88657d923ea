"""A real process that writes to a journal: `journal_writer.py PATH FIRST STOP`.

Waits for a line on its input, so that several start together, and then prints each number once its run is recorded.
"""

import sys
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import TestId
from unknot.store.journal.journal import Journal

TESTS = tuple(TestId(f"test_module.py::test_{number}") for number in range(10))


def numbered_run(number: int) -> Run:
    results = tuple(
        Result(Outcome.FAILED if position == number % 10 else Outcome.PASSED, number / 7, "Traceback " * (number % 3))
        for position in range(len(TESTS))
    )
    return Run(OrderRequest(TESTS, attempt=number), results, executed=number, seconds=number / 3)


def open_journal(path: Path) -> Journal:
    return Journal.open(path, fingerprints=dict.fromkeys(TESTS, "unedited"), environment="here")


def main() -> None:
    path, first, stop = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    sys.stdin.readline()
    with open_journal(path) as journal:
        for number in range(first, stop):
            journal.record(numbered_run(number))
            print(number, flush=True)


if __name__ == "__main__":
    main()
