"""Plain lists of ids, one to a line, for runners that take tests by name."""

from collections.abc import Mapping

from unknot.model.errors import UsageError
from unknot.model.plan import Plan
from unknot.model.sanitise import shown
from unknot.model.suite import Order


def id_lists(plan: Plan, noun: str = "lane") -> Mapping[str, str]:
    """A text for each file name, in the sequence of the plan. Names are made of numbers only, never of ids.

    `lane-2.txt` is all that the second worker runs. A lane of several orders, each of which must begin with a clean
    state, gives `lane-2.1.txt`, `lane-2.2.txt` and so on: each is to be run by a process of its own, in this sequence.
    Raises UsageError if an id cannot stand on a line.
    """
    texts: dict[str, str] = {}
    for number, lane in enumerate(plan.lanes, 1):
        if len(lane.orders) <= 1:
            texts[f"{noun}-{number}.txt"] = _lines(lane.tests)
        else:
            for part, order in enumerate(lane.orders, 1):
                texts[f"{noun}-{number}.{part}.txt"] = _lines(order)
    return texts


def _lines(order: Order) -> str:
    for test in order:
        if len(test.splitlines()) != 1 or "\0" in test or not _is_text(test):
            raise UsageError(
                f"the id {shown(test)} cannot stand on a line of its own", hint="rename the test, or export as JSON"
            )
    return "".join(f"{test}\n" for test in order)


def _is_text(test: str) -> bool:
    try:
        test.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
