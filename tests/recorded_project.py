"""A small project with awkward corners, recorded once by unknot and once by pytest-testmon."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from unknot.coverage.affected import Affected, affected_tests
from unknot.coverage.changed_project import ChangedProject
from unknot.model.suite import TestId

FILES = {
    "pytest.ini": """
        [pytest]
        pythonpath = .
        """,
    "shop/__init__.py": "",
    "shop/settings.py": """
        LIMIT = 3

        def unused():
            return 1
        """,
    "shop/registry.py": """
        KNOWN = {}

        def register(function):
            KNOWN[function.__name__] = function
            return function
        """,
    "shop/cart.py": """
        from shop import settings
        from shop.registry import register

        TAX = 2

        def total(prices, factor=1):
            return sum(price * factor for price in prices)

        @register
        def with_tax(price):
            add = lambda amount: amount + TAX
            return add(price)

        def outer(number):
            def inner(value):
                return value + 1

            return inner(number)

        def after_outer():
            return 10

        class Cart:
            size = 0

            def add(self, count):
                self.size += count
                return self.size

            def is_full(self):
                return self.size >= settings.LIMIT

        def late():
            from shop import rare

            return rare.VALUE
        """,
    "shop/rare.py": """
        from shop.numbers_ import three

        VALUE = three()
        """,
    "shop/numbers_.py": """
        def three():
            return 3

        def four():
            return 4
        """,
    "shop/lonely.py": """
        NAME = "lonely"
        """,
    "data/prices.txt": "1 2 3\n",
    "tests/conftest.py": """
        import pytest

        from shop.numbers_ import four

        @pytest.fixture(scope="session")
        def expensive():
            yield four()

        @pytest.fixture
        def cheap():
            return 1
        """,
    "tests/test_cart.py": """
        from pathlib import Path

        import pytest

        from shop import cart, registry

        PRICES = Path(__file__).parent.parent / "data" / "prices.txt"

        @pytest.fixture
        def full():
            filled = cart.Cart()
            filled.add(3)
            return filled

        def test_total():
            assert cart.total([1, 2]) == 3

        def test_tax():
            assert cart.with_tax(1) == 3

        def test_registered():
            assert "with_tax" in registry.KNOWN

        def test_outer():
            assert cart.outer(1) == 2

        def test_after_outer():
            assert cart.after_outer() == 10

        def test_full(full):
            assert full.is_full()

        def test_empty():
            assert not cart.Cart().is_full()

        def test_late():
            assert cart.late() == 3

        def test_late_again():
            assert cart.late() == 3

        def test_prices():
            assert PRICES.read_text().split() == ["1", "2", "3"]
        """,
    "tests/test_lonely.py": """
        from shop import lonely

        def test_name():
            assert lonely.NAME == "lonely"

        def test_nothing():
            assert True
        """,
    "tests/test_fixtures.py": """
        def test_first(expensive):
            assert expensive == 4

        def test_second(expensive, cheap):
            assert expensive == 4 and cheap == 1

        def test_cheap(cheap):
            assert cheap == 1
        """,
}

ENVIRONMENT = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    # Python knows stale byte code by size and whole seconds: too little for files that are changed within one.
    "PYTHONDONTWRITEBYTECODE": "1",
}


def write_files(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")


def command(root: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Runs a module of this interpreter in the project."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=root,
        env={**os.environ, **ENVIRONMENT, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def record(root: Path) -> None:
    """Coverage is recorded after the search, which is of no interest here."""
    done = command(root, "unknot", "detect", "-q", "-n", "1", "--max-orders", "4", "--coverage")
    assert (root / ".unknot" / "coverage").exists(), done.stdout + done.stderr


def affected_now(root: Path, *named: str, since: str | None = None, data_file: Path | None = None) -> Affected:
    """What is affected by the changes in the project, according to its coverage; the file of a test is the
    one that its id names."""
    project = ChangedProject.open(root, data_file or root / ".unknot" / "coverage", since, named)
    measured = project.recording.outcomes if project.recording else project.coverage.tests
    homes = {test: test.partition("::")[0] for test in measured}
    homes = {test: home for test, home in homes.items() if (root / home).exists()}
    return affected_tests(homes, project.changes, project.coverage, project.sources, project.recording)


def short(tests: "Affected | set[TestId]") -> set[str]:
    names = tests.reasons if isinstance(tests, Affected) else tests
    return {test.partition("::")[2] for test in names}
