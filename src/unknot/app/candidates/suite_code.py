"""The strings that the code of a suite's tests uses, in any of the languages that unknot reads."""

import configparser
import multiprocessing
import signal
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from multiprocessing.connection import Connection
from os.path import normpath
from pathlib import Path, PurePosixPath
from tokenize import detect_encoding
from typing import Any, TypeVar

from unknot.app.configuration import JUNIT, MTR, PYTEST
from unknot.model.candidates import StringUse
from unknot.model.errors import UsageError
from unknot.model.suite import TestId
from unknot.runners.protocol import Listing
from unknot.runners.sandbox.working_copy import project_files
from unknot.web.readers.interpreter.grammars import check_grammars

_JAVA = (".java",)
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_PYTHON = (".py", ".json", ".csv", ".ini", ".cfg")
"""With the files from which tests take their data."""

_ENCODING = "utf-8-sig"

_MOST_BYTES = 5_000_000
"""A larger file is not test code."""

_MOST_SECONDS = 120.0
"""For reading Java or JavaScript: a thousand tests take three."""

_Read = Callable[[str], str | None]
_Result = TypeVar("_Result")

_INI = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))
_USUAL = "src"


def string_uses_of(listing: Listing, kind: str) -> tuple[StringUse, ...]:
    """The strings of each test of the suite, in its order. A test that is not found gives the reason in its gaps. Runs
    none of the user's code. Raises UsageError where the extra for another language is not installed."""
    if kind == MTR:
        raise UsageError(
            "hints from test code are for web suites, not for mtr",
            hint="Leave the hints out.",
            slug="hints-unsupported",
        )
    code = _Code(listing.root)
    readers = {PYTEST: [_python], JUNIT: [_java]}.get(kind, [_javascript, _java, _python])
    found: dict[TestId, StringUse] = {}
    missing: UsageError | None = None
    for reader in readers:
        try:
            uses = reader(listing.suite.tests, code)
        except UsageError as problem:
            # Files in a language that cannot be read here may not be tests of this suite.
            missing = problem
            continue
        for test, use in uses.items():
            # Of several languages the one that knows the test.
            if test not in found or (use.used and not found[test].used):
                found[test] = use
    if missing and not any(use.used for use in found.values()):
        raise missing
    unknown = StringUse(gaps=("its code was not found",))
    return tuple(found.get(test, unknown) for test in listing.suite.tests)


class _Code:
    """The project's files, by their paths from its root."""

    def __init__(self, root: Path) -> None:
        self._root = Path(normpath(root))
        self._files = tuple(path.relative_to(root).as_posix() for path in project_files(root, ()))
        self.read: _Read = cache(self._text)

    def files(self, endings: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(file for file in self._files if file.endswith(endings))

    def _text(self, path: str) -> str | None:
        """None for what cannot be read, or lies outside the project."""
        place = Path(normpath(self._root / path))
        try:
            if not place.is_relative_to(self._root) or not place.is_file() or place.stat().st_size > _MOST_BYTES:
                return None
            return _decoded(place)
        except (OSError, ValueError):
            return None


def _decoded(place: Path) -> str:
    """As its first lines say, if it is Python, or as UTF-8. What cannot be decoded is replaced."""
    try:
        with place.open("rb") as file:
            encoding = detect_encoding(file.readline)[0] if place.suffix == ".py" else _ENCODING
        return place.read_text(encoding, errors="replace")
    except (SyntaxError, LookupError, UnicodeError):
        # An unknown encoding, or one that is not for texts.
        return place.read_text(_ENCODING, errors="replace")


def _python(tests: Sequence[TestId], code: _Code) -> dict[TestId, StringUse]:
    from unknot.web.readers.python.suite import string_uses

    return string_uses(tests, code.read, code.files(_PYTHON), import_roots(code.read))


def _java(tests: Sequence[TestId], code: _Code) -> dict[TestId, StringUse]:
    if not (files := code.files(_JAVA)):
        return {}
    check_grammars("java")
    from unknot.web.readers.java.suite import string_uses

    return _in_time(tests, lambda: string_uses(tests, files, code.read))


def _javascript(tests: Sequence[TestId], code: _Code) -> dict[TestId, StringUse]:
    if not (files := code.files(_JAVASCRIPT)):
        return {}
    check_grammars("javascript", "typescript")
    from unknot.web.readers.javascript.suite import string_uses

    return _in_time(tests, lambda: string_uses(tests, files, code.read))


def _in_time(tests: Sequence[TestId], work: Callable[[], dict[TestId, StringUse]]) -> dict[TestId, StringUse]:
    """A parser of another language can hang on a file that is not source code, and only the end of its process stops
    it."""
    found = within(_MOST_SECONDS, work)
    if found is not None:
        return found
    gap = f"its code could not be read, or not within {_MOST_SECONDS:.0f} s: exclude files that are not source code"
    return dict.fromkeys(tests, StringUse(gaps=(gap,)))


def within(seconds: float, work: Callable[[], _Result]) -> _Result | None:
    """The result of work that can only be stopped by ending its process; None if it takes longer or crashes. The child
    is a copy of this process, so the work may be any function; its result must be picklable. Cost: a fork."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(work, theirs, seconds), daemon=True)
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(seconds) else None
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()
        ours.close()


def _send(work: Callable[[], object], pipe: Connection, seconds: float) -> None:
    # Ctrl-C is for the parent, which then ends this process. If the parent is gone, the timer ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    pipe.send(work())


def import_roots(read: Callable[[str], str | None]) -> tuple[str, ...]:
    """Where the imports of a pytest suite start: the directories of `pythonpath`, from the project's root, and `src`.
    `read` gives the text of a file of the project. A configuration that cannot be read counts as empty: pytest reports
    it."""
    named = [
        *_in_pyproject(read("pyproject.toml") or ""),
        *(one for file, table in _INI for one in _in_ini(read(file) or "", table)),
    ]
    return tuple(dict.fromkeys((*map(_plain, named), _USUAL)))


def _in_pyproject(text: str) -> list[str]:
    try:
        table: Any = tomllib.loads(text).get("tool", {}).get("pytest", {}).get("ini_options", {}).get("pythonpath", [])
    except (ValueError, AttributeError, RecursionError):
        return []
    if isinstance(table, str):
        return table.split()
    return [one for one in table if isinstance(one, str)] if isinstance(table, list) else []


def _in_ini(text: str, table: str) -> list[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        return parser.get(table, "pythonpath", fallback="").split()
    except configparser.Error:
        return []


def _plain(path: str) -> str:
    """
    >>> _plain("./tests/pages/")
    'tests/pages'
    """
    return PurePosixPath(path).as_posix()
