"""The door: loaded by every pytest where unknot is installed, so it only adds options. All else comes when asked."""

import os
from typing import Any

_INSIDE = "UNKNOT_ANSWERS"
"""Set where unknot itself runs pytest and asks for its own orders: a plan would disturb them."""


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("unknot", "run by what unknot knows of the dependencies between tests")
    group.addoption(
        "--unknot",
        action="store_true",
        help="Keep dependent tests in a safe order; with -n N, share them out over pytest-xdist's workers safely",
    )
    group.addoption(
        "--unknot-with-needs",
        action="store_true",
        help="Also run what the chosen tests (-k, -m, node ids, --lf) need. Implies --unknot",
    )
    group.addoption(
        "--unknot-lock",
        metavar="FILE",
        default=None,
        help="What unknot detect has found (default: unknot.lock.json here or in the root directory)",
    )


def pytest_configure(config: Any) -> None:
    wanted = config.getoption("unknot", False) or config.getoption("unknot_with_needs", False)
    if wanted and _INSIDE not in os.environ:
        from unknot.pytest_plugin.activation import activate

        activate(config)
