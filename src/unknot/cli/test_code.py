"""What the code of a suite's tests says, whatever language it is in."""

from collections.abc import Callable, Sequence
from functools import cache
from os.path import normpath
from pathlib import Path
from tokenize import detect_encoding

from unknot.cli.import_roots import import_roots
from unknot.cli.suite_kind import JUNIT, MTR, PYTEST
from unknot.cli.time_limit import within
from unknot.model.candidates import StringUse
from unknot.model.errors import UsageError
from unknot.model.suite import TestId
from unknot.runners.command.project_files import project_files
from unknot.runners.listing import Listing
from unknot.web.readers.syntax.grammars import check_grammars

_JAVA = (".java",)
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
_PYTHON = (".py", ".json", ".csv", ".ini", ".cfg")
"""With the files from which tests take their data."""

_ENCODING = "utf-8-sig"

_MOST_BYTES = 5_000_000
"""A larger file is no test code that somebody wrote."""

_MOST_SECONDS = 120.0
"""For reading Java or JavaScript: a thousand tests take three."""

_Read = Callable[[str], str | None]


def said_by_code(listing: Listing, kind: str) -> tuple[StringUse, ...]:
    """What each test of the suite says, in its order. Whoever is not found says why in its gaps. Runs nothing of the
    user's. Raises UsageError where the extra for another language is not installed."""
    if kind == MTR:
        raise UsageError("the tests of MariaDB's own suite type nothing", hint="suspects are for web suites")
    code = _Code(listing.root)
    readers = {PYTEST: [_python], JUNIT: [_java]}.get(kind, [_javascript, _java, _python])
    found: dict[TestId, StringUse] = {}
    missing: UsageError | None = None
    for reader in readers:
        try:
            uses = reader(listing.suite.tests, code)
        except UsageError as problem:
            # Files in a language that cannot be read here need not be this suite's tests.
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
        """None for what cannot be had; that is also what lies outside the project, wherever code may point."""
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
        # No encoding that there is, or none of texts.
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
    """A parser of another language can hang on a text that is no source, and nothing stops it but the end of its
    process."""
    found = within(_MOST_SECONDS, work)
    if found is not None:
        return found
    gap = f"its code could not be read, or not within {_MOST_SECONDS:.0f} s: leave files out that are no source"
    return dict.fromkeys(tests, StringUse(gaps=(gap,)))
