"""Reads the outcomes that a command has left, in the format that the user named."""

import os
import stat
from pathlib import Path

from unknot.runners.command.results.ids import shown
from unknot.runners.command.results.junit_xml import read_junit
from unknot.runners.command.results.lines import read_lines
from unknot.runners.command.results.reported import Reading, ResultsRefused
from unknot.runners.command.results.tap import read_tap
from unknot.runners.command.spec import ResultsSpec

MOST_BYTES = 256 * 1024 * 1024


def read_results(spec: ResultsSpec, source: bytes | Path, limit: int = MOST_BYTES) -> Reading:
    """`source` is the document or the file that holds it. A file that is not there, or cannot be read, is a reading
    that reports nothing and says why. Raises ResultsRefused for more than `limit` bytes and for what the formats
    refuse; UsageError for a template or pattern that is none. `exit-status` has no document to read."""
    if isinstance(source, Path):
        found = _read(source, limit)
        if isinstance(found, Reading):
            return found
        source = found
    if len(source) > limit:
        raise _too_large(len(source), limit)
    match spec.format:
        case "junit":
            return read_junit(source, spec.id)
        case "tap":
            return read_tap(source)
        case "lines":
            return read_lines(source, spec.pattern, spec.words)
        case "exit-status":
            raise ValueError("an exit status is no document")


def check_results(spec: ResultsSpec) -> None:
    """Raises UsageError if nothing could be read with this, before anything is run."""
    if spec.format != "exit-status":
        read_results(spec, b"")


def _read(path: Path, limit: int) -> bytes | Reading:
    """Never waits: a test could have put a pipe or a device where results should be."""
    try:
        # Examined after it is open: what was examined before may be another file by then.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Reading((), False, f"the results {shown(path.name)} are no regular file")
            if status.st_size > limit:
                raise _too_large(status.st_size, limit)
            return file.read(limit + 1)
    except FileNotFoundError:
        return Reading((), False, f"the command has written no results to {shown(path.name)}")
    except (OSError, ValueError) as error:
        return Reading((), False, f"the results in {shown(path.name)} cannot be read: {error}")


def _too_large(size: int, limit: int) -> ResultsRefused:
    return ResultsRefused(
        f"the results have {size:,} bytes, more than {limit:,}",
        hint="let the tests print less, or the command write its results to a file of their own",
        slug="results-too-large",
    )
