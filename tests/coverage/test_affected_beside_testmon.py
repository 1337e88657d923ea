"""Never less than pytest-testmon, on the same project and the same change."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from recorded_project import FILES, affected_now, command, record, short, write_files

pytestmark = pytest.mark.slow

testmon_core = pytest.importorskip("testmon.testmon_core")

NOTHING: set[str] = set()
HOME = "tests/test_cart.py"
LATE = {"test_late", "test_late_again"}

CHANGES: dict[str, tuple[str, str, str, set[str] | None]] = {
    # what: file, old text, new text, exactly these tests (None: at least testmon's)
    "a body": ("shop/cart.py", "sum(price * factor", "sum(price * 1 * factor", {"test_total"}),
    "a signature": ("shop/cart.py", "factor=1", "factor=2", None),
    "a decorator": ("shop/cart.py", "@register\n", "", None),
    "a constant": ("shop/cart.py", "TAX = 2", "TAX = 5", None),
    "an import": ("shop/cart.py", "from shop import settings\n", "from shop import settings\nimport os\n", None),
    "a class attribute": ("shop/cart.py", "    size = 0", "    size = 1", None),
    "a method": ("shop/cart.py", "self.size += count", "self.size += count + 0", {"test_full"}),
    "a nested function": ("shop/cart.py", "return value + 1", "return value + 2", {"test_outer"}),
    "another nested function": (
        "shop/cart.py",
        "    return inner(number)",
        "    def more():\n        pass\n    return inner(number)",
        None,
    ),
    "a lambda": ("shop/cart.py", "amount + TAX", "amount - TAX", {"test_tax"}),
    "a comprehension": ("shop/cart.py", "for price in prices", "for price in list(prices)", {"test_total"}),
    "a test's body": (HOME, "cart.outer(1) == 2", "cart.outer(2) == 3", {"test_outer"}),
    "a fixture": (HOME, "filled.add(3)", "filled.add(4)", {"test_full"}),
    "a fixture in a conftest": ("tests/conftest.py", "    return 1", "    return 2", {"test_second", "test_cheap"}),
    "a fixture that tests share": (
        "tests/conftest.py",
        "yield four()",
        "yield four() + 0",
        {"test_first", "test_second"},
    ),
    "what a shared fixture calls": ("shop/numbers_.py", "return 4", "return 5", {"test_first", "test_second"}),
    "a function that is gone": ("shop/cart.py", "def after_outer():\n    return 10\n", "", None),
    "a function that is new": ("shop/cart.py", "def late():", "def new():\n    return 1\n\ndef late():", None),
    "a comment": ("shop/cart.py", "    add = lambda", "    # A comment.\n    add = lambda", NOTHING),
    "a blank line": ("shop/cart.py", "class Cart", "\n\n\nclass Cart", NOTHING),
    "a docstring": ("shop/cart.py", "def after_outer():\n", 'def after_outer():\n    "Ten."\n', {"test_after_outer"}),
    "a module of one test file": ("shop/lonely.py", '"lonely"', '"alone"', {"test_name", "test_nothing"}),
    "a function that no test runs": ("shop/settings.py", "return 1", "return 2", NOTHING),
    "a function that runs at import": ("shop/registry.py", "    return function", "    return None", None),
    "data": ("data/prices.txt", "1 2 3", "1 2 4", {"test_prices"}),
    "a syntax error": ("shop/lonely.py", "NAME =", "NAME = =", {"test_name", "test_nothing"}),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("recorded") / "project"
    write_files(root, FILES)
    done = command(root, "pytest", "-p", "testmon.pytest_testmon", "--testmon", "-q")
    assert done.returncode == 0, done.stdout
    record(root)
    return root


@pytest.fixture
def project(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "project"))


Change = Callable[[str, str, str], None]


@pytest.fixture
def change(project: Path) -> Change:
    def changed(name: str, old: str, new: str) -> None:
        text = (project / name).read_text()
        assert old in text
        (project / name).write_text(text.replace(old, new, 1))

    return changed


def chosen_by_testmon(root: Path) -> set[str]:
    """As its plugin does before anything is run, by the same calls."""
    data = testmon_core.TestmonData.for_local_run(rootdir=str(root))
    try:
        assert data.all_tests, "testmon has recorded this project"
        assert not data.system_packages_change
        data.determine_stable()
        return set(data.unstable_test_names) | set(data.failing_tests)
    finally:
        data.db.con.close()


@pytest.mark.parametrize("what", CHANGES)
def test_no_test_is_left_out_that_testmon_takes(what: str, project: Path, change: Change) -> None:
    name, old, new, expected = CHANGES[what]
    change(name, old, new)

    theirs = chosen_by_testmon(project)
    ours = affected_now(project)

    assert theirs <= set(ours.reasons)
    assert theirs or expected is not None or what == "a function that runs at import", (
        "the change is one for testmon too"
    )
    if expected is not None:
        assert short(ours) == expected


def test_a_file_that_is_gone_affects_who_ran_or_imports_it(project: Path) -> None:
    (project / "shop/rare.py").unlink()
    assert set(chosen_by_testmon(project)) <= set(affected_now(project).reasons)
    assert short(affected_now(project)) >= LATE


def test_without_a_change_neither_takes_anything(project: Path) -> None:
    assert chosen_by_testmon(project) == set()
    assert not affected_now(project).reasons


def test_testmon_does_not_see_what_happens_at_import_and_we_do(project: Path, change: Change) -> None:
    change("shop/settings.py", "LIMIT = 3", "LIMIT = 4")
    assert "test_full" not in {test.partition("::")[2] for test in chosen_by_testmon(project)}
    assert {"test_full", "test_empty"} <= short(affected_now(project))


def test_who_imports_a_module_first_does_not_matter(project: Path, change: Change) -> None:
    """`shop.rare` is imported while `test_late` runs, and computes its value then for `test_late_again` too."""
    change("shop/numbers_.py", "return 3", "return 33")
    assert short(affected_now(project)) >= LATE


def test_the_selection_as_testmon_itself_prints_it(project: Path, change: Change) -> None:
    change("shop/cart.py", "return value + 1", "return value + 2")
    listed = ("-p", "testmon.pytest_testmon", "--testmon", "--testmon-nocollect", "--collect-only", "-q")
    printed = command(project, "pytest", *listed).stdout
    assert (
        {line for line in printed.splitlines() if "::" in line} == chosen_by_testmon(project) == {f"{HOME}::test_outer"}
    )
