"""Reads which test covers what, from any of the files that can say so."""

from pathlib import Path

from unknot.coverage.contexts import read_contexts
from unknot.coverage.element_csv import elements_from_csv
from unknot.coverage.element_fault import ElementFault
from unknot.coverage.element_json import elements_from_json
from unknot.coverage.element_lines import elements_of
from unknot.model.coverage import Coverage
from unknot.model.errors import StorageError, UsageError

_SQLITE = b"SQLite format 3\x00"
_HINT = (
    'give a data file or `coverage json --show-contexts` of coverage.py, CSV with a row "test,element" for each, '
    'or JSON {"test": ["element", …], …}'
)


def read_elements(path: Path, *, branches: bool = False) -> Coverage:
    """What each test covers. What the file is, is told by what is in it.

    From coverage.py, elements are lines, `path:line`, or with `branches` the ways from line to line, `path:from->to`;
    the files of the tests themselves do not count, for there every test is the only one that covers its own lines.
    Raises StorageError for a file that cannot be read, UsageError for one that does not say what a test covers.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise StorageError(f"{path}: there is no such file", hint=_HINT) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StorageError(f"cannot read {path}: {reason}", hint="check that it is a file that you may read") from error
    if data.startswith(_SQLITE):
        return _checked(elements_of(read_contexts(path), branches=branches), path, branches=branches)
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip()[:1] in ("{", "["):
            found = elements_from_json(text, branches=branches)
        else:
            found = elements_from_csv(text)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start})", hint=_HINT) from error
    except ElementFault as fault:
        raise UsageError(f"{path}: {fault}", hint=fault.hint or _HINT) from fault
    return _checked(found, path, branches=False)


def _checked(found: Coverage, path: Path, *, branches: bool) -> Coverage:
    if found.covered:
        return found
    if branches:
        hint = "record it with `pytest --cov --cov-branch --cov-context=test`, or leave --branches out"
        raise UsageError(f"{path}: no branches were measured", hint=hint)
    raise UsageError(f"{path}: no test in it covers anything outside the tests' own files", hint=_HINT)
