"""The entry point: every pytest loads it where unknot is installed, so it only adds options and imports the rest on
use."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

_INSIDE = "UNKNOT_ANSWERS"
"""Set when unknot itself runs pytest in given orders, which a plan would disturb."""


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("unknot", "respect dependencies between tests")
    group.addoption(
        "--unknot",
        action="store_true",
        help="Run tests in a safe order; with -n N, distribute them safely over pytest-xdist's workers",
    )
    group.addoption(
        "--unknot-with-needs",
        action="store_true",
        help="Also run the prerequisites of the selected tests (-k, -m, node ids, --lf). Implies --unknot",
    )
    group.addoption(
        "--unknot-lock",
        metavar="FILE",
        default=None,
        help="The lock file of unknot detect (default: unknot.lock.json here or in the root directory)",
    )


def pytest_configure(config: Any) -> None:
    wanted = config.getoption("unknot", False) or config.getoption("unknot_with_needs", False)
    if wanted and _INSIDE not in os.environ:
        from unknot.pytest_plugin.activation import activate

        activate(config)


@pytest.fixture(scope="session")
def unknot_ports(pytestconfig: pytest.Config) -> Iterator[tuple[int, ...]]:
    """The ports of a running instance of the application: the one that unknot has started for these tests, or one that
    is started for this session, as `[instance]` in the configuration says."""
    from unknot.pytest_plugin.instance import ports_of_instance

    with ports_of_instance(pytestconfig.rootpath) as ports:
        yield ports
