"""Every kind of test that pytest collects, under every kind of name."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import CollectionError, ExitCode, NoTestsError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.run import Run
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]


def by_name(run: Run) -> dict[str, str]:
    return {test: str(result.outcome) for test, result in zip(run.order, run.results, strict=True)}


ODD_NAMES = """
    import pytest
    NAMES = ["a b", "x::y", "[z]", "naïve", "日本", "'", '"',
             "line\\nbreak", "$HOME `ls`", "-k", "#2", "", "l" * 1000, "\\x1b[31m"]

    @pytest.mark.parametrize("name", NAMES)
    def test_odd(name): assert name != "[z]"

    @pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
    def test_ids(number): assert number != 1

    @pytest.mark.parametrize("same", [1, 2], ids=["twin", "twin"])
    def test_twin(same): pass

    def test_again(): assert False
    def test_again(): pass
"""


def test_names_of_any_characters_come_back_as_they_were(write: Write, ask: Ask) -> None:
    directory = write({"test_names.py": ODD_NAMES, "ä ö/test_räum e.py": "def test_ünı(): pass"})
    (run,) = ask(directory)
    bad = [test for test, result in zip(run.order, run.results, strict=True) if result.outcome is not Outcome.PASSED]
    assert bad == ["test_names.py::test_odd[[z]]", "test_names.py::test_ids[x::y]"]
    assert len(run.order) == 2 * 14 + 2 + 1 + 1


def test_tests_of_the_same_name_are_distinguished(write: Write, ask: Ask) -> None:
    source = "def test_same(): assert __name__ != 'two.test_it'"
    files = {"one/__init__.py": "", "one/test_it.py": source, "two/__init__.py": "", "two/test_it.py": source}
    directory = write(files)
    assert by_name(ask(directory)[0]) == {"one/test_it.py::test_same": "passed", "two/test_it.py::test_same": "failed"}


def test_a_file_given_twice_is_run_twice_only_if_pytest_does(write: Write, ask: Ask) -> None:
    directory = write({"test_it.py": "ran = []\ndef test_it():\n    ran.append(1)\n    assert len(ran) == 1"})
    twice = ("test_it.py", "test_it.py")
    assert by_name(ask(directory, paths=twice)[0]) == {"test_it.py::test_it": "passed"}


def test_items_of_a_custom_collector_with_one_id_are_numbered(write: Write, ask: Ask) -> None:
    conftest = """
        import pytest
        class Item(pytest.Item):
            number = 0
            def runtest(self): assert self.number == 0, "the second"
        class File(pytest.File):
            def collect(self):
                for number in range(2):
                    item = Item.from_parent(self, name="same")
                    item.number = number
                    yield item
        def pytest_collect_file(file_path, parent):
            if file_path.suffix == ".check": return File.from_parent(parent, path=file_path)
    """
    directory = write({"conftest.py": conftest, "x.check": ""})
    assert by_name(ask(directory)[0]) == {"x.check::same": "passed", "x.check::same#2": "failed"}
    assert by_name(ask(directory, ["x.check::same#2"])[0]) == {"x.check::same#2": "failed"}


def test_a_parameter_that_holds_the_path_of_the_project_is_the_same_in_every_copy(write: Write, ask: Ask) -> None:
    source = """
        import pathlib, pytest
        @pytest.mark.parametrize("path", sorted(pathlib.Path(__file__).parent.glob("*.txt")), ids=str)
        def test_path(path): assert path.exists()
    """
    directory = write({"test_it.py": source, "a.txt": "", "b.txt": ""})
    (run,) = ask(directory, workers=2)
    assert run.order == tuple(f"test_it.py::test_path[{directory}/{name}.txt]" for name in "ab")
    assert {result.outcome for result in run.results} == {Outcome.PASSED}


def test_every_outcome_is_reported(write: Write, ask: Ask) -> None:
    source = """
        import unittest, pytest
        @pytest.fixture
        def broken(): raise ValueError
        @pytest.fixture
        def breaks():
            yield
            raise ValueError
        def test_passed(): pass
        def test_failed(): assert 0
        def test_setup(broken): pass
        def test_teardown(breaks): pass
        def test_both(breaks): assert 0
        def test_skipped(): pytest.skip("why")
        @pytest.mark.xfail
        def test_xfailed(): assert 0
        @pytest.mark.xfail
        def test_xpassed(): pass
        @pytest.mark.xfail(strict=True)
        def test_strict(): pass
        class Old(unittest.TestCase):
            def test_sub(self):
                for number in range(3):
                    with self.subTest(number=number): self.assertNotEqual(number, 1)
            def test_sub_skip(self):
                with self.subTest(): self.skipTest("part of it")
            @unittest.expectedFailure
            def test_expected(self): self.fail()
    """
    directory = write({"test_it.py": source})
    found = {name.rpartition("::")[2].removeprefix("test_"): what for name, what in by_name(ask(directory)[0]).items()}
    assert found == {
        "passed": "passed",
        "failed": "failed",
        "setup": "setup-error",
        "teardown": "teardown-error",
        "both": "failed",
        "skipped": "skipped",
        "xfailed": "xfailed",
        "xpassed": "xpassed",
        "strict": "failed",
        "sub": "failed",
        "sub_skip": "passed",
        "expected": "xfailed",
    }


def test_doctests_of_modules_and_texts_run(write: Write, ask: Ask) -> None:
    module = '''
        def add(a, b):
            """
            >>> add(1, 2)
            3
            """
            return a + b
        def wrong():
            """
            >>> wrong()
            1
            """
    '''
    files = {"src/pkg/__init__.py": "", "src/pkg/sums.py": module, "test_text.txt": ">>> 1 + 1\n2\n"}
    directory = write({**files, "pytest.ini": "[pytest]\naddopts = --doctest-modules\npythonpath = src\n"})
    assert by_name(ask(directory)[0]) == {
        "src/pkg/sums.py::pkg.sums.add": "passed",
        "src/pkg/sums.py::pkg.sums.wrong": "failed",
        "test_text.txt::test_text.txt": "passed",
    }
    wanted = ["test_text.txt::test_text.txt", "src/pkg/sums.py::pkg.sums.add"]
    assert set(by_name(ask(directory, wanted)[0]).values()) == {"passed"}


def test_built_in_fixtures_work_in_any_order(write: Write, ask: Ask) -> None:
    source = """
        import logging, os, sys
        def test_tmp_path(tmp_path, tmp_path_factory):
            assert not list(tmp_path.iterdir())
            (tmp_path / "x").write_text("x")
            assert tmp_path_factory.mktemp("other").is_dir()
        def test_monkeypatch(monkeypatch):
            assert "BY_TEST" not in os.environ
            monkeypatch.setenv("BY_TEST", "1")
            monkeypatch.chdir("/")
        def test_capsys(capsys):
            print("out")
            assert capsys.readouterr().out == "out\\n"
        def test_capfd(capfd):
            os.write(1, b"raw")
            assert capfd.readouterr().out == "raw"
        def test_caplog(caplog):
            logging.warning("output")
            assert caplog.messages == ["output"]
        def test_prints_and_fails():
            print("to stdout"); print("to stderr", file=sys.stderr); logging.warning("to the log")
            assert False
    """
    directory = write({"test_it.py": source})
    names = ["tmp_path", "monkeypatch", "capsys", "capfd", "caplog", "prints_and_fails"]
    tests = [f"test_it.py::test_{name}" for name in names]
    for run in ask(directory, tests, tests[::-1], [tests[0], tests[2], tests[5]]):
        assert {name for name, outcome in by_name(run).items() if outcome != "passed"} == {tests[5]}
        story = dict(zip(map(str, run.order), run.results, strict=True))[tests[5]].story
        assert all(text in story for text in ("to stdout", "to stderr", "to the log"))


@pytest.mark.parametrize("plugin", ["pytest_asyncio", "anyio"])
def test_coroutines_run(write: Write, ask: Ask, plugin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec(plugin) is None:
        pytest.skip(f"{plugin} is not installed")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    source = f"""
        import asyncio, pytest
        pytestmark = pytest.mark.{plugin.removeprefix("pytest_")}
        done = []
        @pytest.fixture
        def anyio_backend(): return "asyncio"
        async def test_first():
            await asyncio.sleep(0)
            done.append(1)
        async def test_second():
            await asyncio.sleep(0)
            assert done
    """
    directory = write({"test_it.py": source})
    first, second = "test_it.py::test_first", "test_it.py::test_second"
    options = ("-p", "no:asyncio") if plugin == "anyio" else ()
    runs = ask(directory, [first, second], [second, first], [first], options=options)
    assert [list(by_name(run).values()) for run in runs] == [["passed"] * 2, ["failed", "passed"], ["passed"]]


def collecting(directory: Path, **settings: object) -> None:
    with open_suite(Settings(directory, **settings)):  # type: ignore[arg-type]
        pass


def test_what_cannot_be_collected_is_reported_in_the_words_of_pytest(write: Write) -> None:
    directory = write({"test_bad.py": "import no_such_module", "test_good.py": "def test_it(): pass"})
    with pytest.raises(CollectionError, match=r"(?s)test_bad\.py.*No module named 'no_such_module'") as caught:
        collecting(directory)
    assert caught.value.exit_code == ExitCode.INTERRUPTED
    collecting(directory, paths=("test_good.py",))


@pytest.mark.parametrize(
    ("files", "kind", "output"),
    [
        ({"conftest.py": "raise ValueError('from the conftest')"}, CollectionError, "from the conftest"),
        ({"test_it.py": "import sys; sys.exit(7)"}, CollectionError, "SystemExit: 7"),
        ({"test_it.py": "import os; os._exit(0)"}, CollectionError, "status 0"),
        ({"test_it.py": "import pytest; pytest.exit('enough')"}, CollectionError, "enough"),
        ({"test_it.py": "x = 1"}, NoTestsError, "no tests"),
        ({"pytest.ini": "[pytest]\naddopts = --bogus"}, UsageError, "--bogus"),
    ],
    ids=["conftest raises", "sys.exit", "os._exit", "pytest.exit", "no tests", "unknown option"],
)
def test_a_suite_that_does_not_start_is_one_error(
    write: Write, files: dict[str, str], kind: type[Exception], output: str
) -> None:
    with pytest.raises(kind, match=output):
        collecting(write(files))
