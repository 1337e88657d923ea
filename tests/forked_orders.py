"""A pytest plugin that runs orders of a suite, each in a process forked after the collection. It shares no code with
unknot, so that a list of true dependencies can be checked independently of it.

`python -m pytest -p forked_orders` reads the orders from the file named in FORKED_ORDERS, a JSON list of lists of test
ids, and writes beside it, with the suffix `.passed`, for each order which of its tests passed.
"""

import json
import os
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    items = {item.nodeid: item for item in session.items}
    file = Path(os.environ["FORKED_ORDERS"])
    passed = [_passed([items[test] for test in order]) for order in json.loads(file.read_text(encoding="utf-8"))]
    file.with_suffix(".passed").write_text(json.dumps(passed), encoding="utf-8")
    return True


def _passed(order: list[pytest.Item]) -> list[bool]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            for item, following in zip(order, [*order[1:], None], strict=True):
                reports = runtestprotocol(item, log=False, nextitem=following)
                os.write(writer, b"1" if all(report.passed for report in reports) else b"0")
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, "rb") as stream:
        answers = stream.read()
    os.waitpid(child, 0)
    if len(answers) != len(order):
        raise RuntimeError(f"ended after {len(answers)} of {len(order)} tests")
    return [answer == ord("1") for answer in answers]
