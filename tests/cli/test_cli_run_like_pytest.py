"""What `unknot run` prints and leaves behind is what pytest does, test by test."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Unknot = Callable[..., Done]

SUITE = {
    "shop/__init__.py": """
        def total(prices):
            if not prices:
                return 0
            for price in prices:
                print(price)
            return sum(prices)

        def never():
            return 1
    """,
    "shop/unused.py": "unused = 1\n",
    "conftest.py": """
        import pytest

        def pytest_terminal_summary(terminalreporter):
            terminalreporter.write_line(f"{len(terminalreporter.stats.get('passed', []))} passed, says the project")

        def pytest_report_collectionfinish(items):
            return f"{len(items)} tests, says the project"

        @pytest.fixture(scope="session")
        def prices():
            yield [1, 2]
            print("the end")
    """,
    "test_good.py": """
        import sys, warnings, pytest
        from shop import total
        def test_total(prices): assert total(prices) == 3
        def test_nothing(): assert total([]) == 0
        def test_prints(): print("to stdout"); print("to stderr", file=sys.stderr)
        def test_warns(): warnings.warn("careful")
        @pytest.mark.skip(reason="not today")
        def test_skipped(): pass
        @pytest.mark.xfail(reason="known")
        def test_xfailed(): assert False
        @pytest.mark.xfail(reason="known, but")
        def test_xpassed(): pass
        @pytest.mark.parametrize("n", range(4))
        def test_many(n): assert total([n]) == n
    """,
    "test_bad.py": """
        import pytest
        class TestBad:
            def test_fails(self):
                print("before it fails")
                assert [1, {"a": 1}] == [1, {"a": 2}]
        @pytest.fixture
        def broken(): raise ValueError("in set-up")
        @pytest.fixture
        def breaks_later():
            yield
            raise ValueError("in tear-down")
        def test_error(broken): pass
        def test_teardown_error(breaks_later): pass
    """,
    "test_left_out.py": """
        import pytest
        pytest.importorskip("no_such_module")
    """,
}


@pytest.fixture
def detected(detected_once: Callable[..., Any], project: Path) -> Path:
    detected_once(SUITE, "--no-trace", "-q").copy_to(project)
    return project


def run_pytest(directory: Path, *words: str) -> Done:
    command = [sys.executable, "-P", "-m", "pytest", *words]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def lines(output: str) -> list[str]:
    """Sorted, without times and places in the sequence, which differ from run to run."""
    text = re.sub(r" in [0-9.]+s( \(.*\))?|0x[0-9a-f]+|^[0-9.]+s ", "", output, flags=re.MULTILINE)
    text = re.sub(r" *\[ *\d+%\]|=+|^plan: 2 lanes$", "", text, flags=re.MULTILINE)
    return sorted(filter(None, map(str.rstrip, text.splitlines())))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param("-vv -rA --durations=0 --showlocals", id="everything"),
        pytest.param("-v -k total --tb=short --color=yes", id="selected"),
    ],
)
def test_every_line_is_pytests(detected: Path, unknot: Unknot, options: str) -> None:
    words = options.split()
    plain = run_pytest(detected, *words)
    done = unknot("run", "-n", "2", *words)
    assert lines(done.stdout) == lines(plain.stdout)
    assert done.returncode == plain.returncode


def test_what_tests_print_is_shown_with_them(detected: Path, unknot: Unknot) -> None:
    done = unknot("run", "-n", "2", "-s", "-k", "prints or many")
    assert re.findall(r"to std(?:out|err)", done.stdout) == ["to stdout", "to stderr"]


def test_the_xml_report_is_pytests(detected: Path, unknot: Unknot) -> None:
    run_pytest(detected, "--junitxml=plain.xml")
    unknot("run", "-n", "2", "--junitxml=parallel.xml")
    plain, parallel = (_cases(detected / name) for name in ("plain.xml", "parallel.xml"))
    assert parallel == plain


def _cases(file: Path) -> list[object]:
    def content(element: ElementTree.Element) -> object:
        kept = {name: value for name, value in element.attrib.items() if name not in ("time", "timestamp")}
        text = re.sub(r"0x[0-9a-f]+", "", element.text or "")
        return element.tag, sorted(kept.items()), text, sorted(map(repr, map(content, element)))

    return [content(suite) for suite in ElementTree.parse(file).getroot()]


def test_what_failed_is_remembered_for_both(detected: Path, unknot: Unknot) -> None:
    unknot("run", "-n", "2", "-q")
    cache = detected / ".pytest_cache" / "v" / "cache" / "lastfailed"
    failed = {"test_bad.py::TestBad::test_fails", "test_bad.py::test_error", "test_bad.py::test_teardown_error"}
    assert set(json.loads(cache.read_text())) == failed
    assert "1 failed, 1 passed, 2 errors" in run_pytest(detected, "--lf").stdout
    (detected / "test_bad.py").write_text("class TestBad:\n    def test_fails(self): pass\n")
    assert "1 passed" in unknot("run", "-n", "2", "--lf").stdout
    assert not json.loads(cache.read_text()).keys() & {"test_bad.py::TestBad::test_fails"}


def test_the_first_real_failure_ends_the_run(detected: Path, unknot: Unknot) -> None:
    (detected / "test_good.py").write_text("def test_total(): assert False\n" + "def test_x(): pass\n")
    done = unknot("run", "-n", "1", "-x", "-k", "good")
    assert done.returncode == 1
    assert "stopping after 1 failures" in done.stdout
    assert "FAILED test_good.py::test_total - assert False" in done.stdout


@pytest.mark.parametrize(("words", "code"), [([], 2), (["-k", "nothing_there"], 5)])
def test_a_suite_that_cannot_be_run_gets_pytests_answer(
    detected: Path, unknot: Unknot, words: list[str], code: int
) -> None:
    if code == 2:
        (detected / "test_more.py").write_text("import no_such_module\n")
    plain = run_pytest(detected, *words)
    done = unknot("run", *words)
    assert (done.returncode, plain.returncode) == (code, code)
    assert lines(done.stdout) == lines(plain.stdout)


@pytest.mark.parametrize("way", ["pytest-cov", "coverage run"])
def test_coverage_is_that_of_a_plain_run(detected: Path, unknot: Unknot, way: str) -> None:
    pytest.importorskip("pytest_cov")
    (detected / ".coveragerc").write_text("[run]\nbranch = true\n")
    if way == "pytest-cov":
        words = ["-p", "pytest_cov", "--cov=shop", "--cov-context=test", "--cov-fail-under=99"]
        plain = run_pytest(detected, *words, "--cov-report=json:plain.json")
        done = unknot("run", "-n", "2", *words, "--cov-report=json:parallel.json")
        assert "Required test coverage of 99% not reached" in done.stdout
        assert (done.returncode, plain.returncode) == (1, 1)
    else:
        for name, words in (("plain", ["pytest"]), ("parallel", ["unknot", "run", "-n", "2"])):
            for command in (["run", "--source=shop", "-m", *words], ["json", f"-o{name}.json"]):
                subprocess.run([sys.executable, "-m", "coverage", *command], cwd=detected, capture_output=True)
    plain_files, files = (
        json.loads((detected / f"{name}.json").read_text())["files"] for name in ("plain", "parallel")
    )
    assert files == plain_files
    assert {"shop/__init__.py", "shop/unused.py"} == set(files)
    assert files["shop/__init__.py"]["executed_branches"]
    assert not list(detected.glob(".coverage.*")), "no data of a worker is left"
