"""Exports as pytest plugins that add marks: a Python file that is the same for every suite, and its table.

Test ids are data, never code: they occur in the table only.
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
"""Written by `unknot plan --export xdist-group`. Do not edit: export it again after `unknot detect`.

Keeps tests that depend on each other on one worker of pytest-xdist. In the conftest.py beside this file:

    pytest_plugins = ["unknot_groups"]

    pytest -n 4 --dist loadgroup

Guaranteed: tests of one group run on one worker in suite order, so prerequisites run first and cleaners run between a
polluter and its victim. Tests without a group run anywhere. Limitations: a group is never split, so a large one sets
the minimum duration; a plugin that shuffles breaks the order (disable pytest-randomly with `-p no:randomly`); after a
crash pytest-xdist runs the rest of a group elsewhere, without its prerequisites; workers share files and databases, so
tests that were recorded to use the same ones are in one group, and those that were not recorded are not safe.
`pytest -n 4 --unknot` has none of these limitations. Tests newer than the table are in no group.
"""

'''

_ORDER = '''\
"""Written by `unknot plan --export pytest-order`. Do not edit: export it again after `unknot detect`.

Restores the order that is known to be safe, with the marks of pytest-order. In the conftest.py beside this file:

    pytest_plugins = ["unknot_order"]

Guaranteed: in one process, every test of the table has the position it had during detection, even if a plugin shuffled
the collection; newer tests come last. Relative marks of pytest-order are not used, because they cannot name one case
of a parametrised test. Limitations: pytest-order only sorts collected tests, so it does not add the prerequisites of a
selected test (`pytest --unknot-with-needs` does), and it knows nothing about workers.
"""

'''


@dataclass(frozen=True)
class MarkPlugin:
    """`name` is the module name; the table is a JSON file beside it."""

    name: str
    code: str
    table: str


_SCHEDULER = '''

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """pytest-xdist reads groups from a suffix that it adds to ids. If pytest prevents that (9.2 with pytest-xdist 3.8),
    the marks are silently ignored; this scheduler reads the groups from the table instead."""
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
    """One group for each connected part of the suite."""
    table = {test: f"unknot-{number}" for number, part in enumerate(parts, 1) for test in part}
    mark = "            item.add_marker(pytest.mark.xdist_group(_TABLE[item.nodeid]))\n"
    return MarkPlugin("unknot_groups", _GROUPS + _SHARED + mark + _SCHEDULER, _dumps(table))


def pytest_order(tests: Order) -> MarkPlugin:
    """Every test with its position in this order."""
    table = {test: place for place, test in enumerate(tests)}
    # Before the marks of the suite itself: pytest-order takes the first one with a number.
    mark = "            item.add_marker(pytest.mark.order(_TABLE[item.nodeid]), append=False)\n"
    return MarkPlugin("unknot_order", _ORDER + _SHARED + mark, _dumps(table))


def _dumps(table: Mapping[TestId, str | int]) -> str:
    """ASCII only: an id may contain characters that UTF-8 cannot encode."""
    return json.dumps(table, indent=1) + "\n"
