"""The suites that are measured: PyPI source archives that hold the package's own tests."""

from dataclasses import dataclass

PYTEST = "pytest==9.2.0"


@dataclass(frozen=True)
class Suite:
    """A package, its version, and what its tests need beside pytest."""

    name: str
    version: str
    requirements: tuple[str, ...] = ()
    always: bool = True
    """Measured when no names are given."""
    pytest: str = PYTEST


_ALL = (
    Suite("jinja2", "3.1.6", ("trio",)),
    # Without watchdog: with it, the test of the reloader hung on the machine that this was written on.
    Suite("werkzeug", "3.1.9", ("cffi", "cryptography", "ephemeral-port-reserve", "pytest-timeout")),
    Suite("click", "8.5.1"),
    Suite("marshmallow", "4.4.0", ("simplejson",)),
    Suite("attrs", "26.1.0", ("cloudpickle", "hypothesis", "pympler")),
    # Its tests import a name from inside pytest that pytest 9.2 no longer has.
    Suite("flask", "3.1.3", ("asgiref", "greenlet", "python-dotenv"), pytest="pytest==8.4.2"),
    # Without pytest-randomly: the plain run keeps the suite's own order.
    Suite("structlog", "26.1.0", ("pytest-asyncio", "simplejson", "time-machine")),
    # One run takes less than a second: starting up is most of a detection.
    Suite("tinydb", "4.9.0", ("pyyaml",)),
    Suite("wtforms", "3.3.2", ("babel", "email-validator")),
    Suite("humanize", "4.17.0", ("freezegun", "pytest-codspeed")),
    # Measured for the speed of runs only.
    Suite("toolz", "1.2.0", always=False),
    Suite("more_itertools", "11.2.1", always=False),
    # Not always: its 7,482 tests take minutes.
    Suite("babel", "2.18.0", ("freezegun", "pytz", "tzdata"), always=False),
)
SUITES = {suite.name: suite for suite in _ALL}
