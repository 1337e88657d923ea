"""Exports as pytest plugins that add marks: a Python file that is the same for every suite, and a table for it.

Ids of tests are data, never code: they stand in the table only.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unknot.model.suite import Order, TestId

_SHARED = """\
import json
from pathlib import Path

import pytest

_TABLE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid in _TABLE: """

_GROUPS = '''\
"""Written by `unknot plan --export xdist-group`. Do not edit: write it again after `unknot detect`.

Keeps tests that depend on each other on one worker of pytest-xdist. In the conftest.py beside this file:

    pytest_plugins = ["unknot_groups"]

    pytest -n 4 --dist loadgroup

What holds: tests of one group run on one worker, in the order of the suite, so needs are met and what cleans runs
between a polluter and its victim. Tests without a group go anywhere. What does not: a group is never shared out, so a
large one runs as long as it is; a plugin that shuffles (pytest-randomly: `-p no:randomly`) breaks the order; after a
crash pytest-xdist runs the rest of a group elsewhere, without what it needs; workers share files and databases.
`pytest -n 4 --unknot` has none of the first three troubles. Tests that are newer than the table are in no group.
"""

'''

_ORDER = '''\
"""Written by `unknot plan --export pytest-order`. Do not edit: write it again after `unknot detect`.

Puts the tests back into the order in which they are known to be safe, by the marks of pytest-order. In the conftest.py
beside this file:

    pytest_plugins = ["unknot_order"]

What holds: in one process, every test of the table has the place that it had when dependencies were looked for,
whatever shuffles the collection before; newer tests come last. Marks of pytest-order's relative kind would say less:
they cannot name one case of a parametrised test. What does not: pytest-order sorts what is collected, so a test
selected without what it needs is not helped (`pytest --unknot-with-needs` is), and it knows nothing of workers.
"""

'''


@dataclass(frozen=True)
class MarkPlugin:
    """`name` is the module's; the table goes beside it as JSON."""

    name: str
    code: str
    table: str


_SCHEDULER = '''

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """pytest-xdist tells groups from ids that it has given a new ending. Where pytest does not let it (9.2 with
    pytest-xdist 3.8), the marks alone are passed over without a word; the table knows the groups as well."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class Groups(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            scope = super()._split_scope(nodeid)
            return _TABLE.get(scope, scope)

    return Groups(config, log)
'''


def xdist_groups(parts: Sequence[Order]) -> MarkPlugin:
    """One group for each of these parts of the suite, which needs or conflicts tie together."""
    table = {test: f"unknot-{number}" for number, part in enumerate(parts, 1) for test in part}
    mark = "            item.add_marker(pytest.mark.xdist_group(_TABLE[item.nodeid]))\n"
    return MarkPlugin("unknot_groups", _GROUPS + _SHARED + mark + _SCHEDULER, _dumps(table))


def pytest_order(tests: Order) -> MarkPlugin:
    """Every test with its place in this order."""
    table = {test: place for place, test in enumerate(tests)}
    # In front of marks that the suite has itself: pytest-order takes the first that has a number.
    mark = "            item.add_marker(pytest.mark.order(_TABLE[item.nodeid]), append=False)\n"
    return MarkPlugin("unknot_order", _ORDER + _SHARED + mark, _dumps(table))


def _dumps(table: Mapping[TestId, str | int]) -> str:
    """ASCII only: an id may hold what UTF-8 cannot."""
    return json.dumps(table, indent=1) + "\n"
