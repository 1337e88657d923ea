"""What has changed in a project, file by file, compared with what was measured."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from unknot.coverage.configuration_changes import is_configuration, matters
from unknot.coverage.source_changes import SourceChange, source_change


@dataclass(frozen=True)
class FileChange:
    """`source` says what is different in a Python file that was measured; `is_new` marks one that was not, because
    it was not there or nobody ran it; `is_configuration` marks a change that can matter to all. The rest is data."""

    path: str
    source: SourceChange | None = None
    is_new: bool = False
    is_configuration: bool = False


@dataclass(frozen=True)
class Versions:
    """The same file at several times. `measured` is what the coverage is about, `now` the working tree, `then` the
    revision that was asked about, which counts only if `is_different_then`. None is a file that was not there."""

    measured: str | None
    now: str | None
    then: str | None = None
    is_different_then: bool = False
    is_named: bool = False


def python_change(path: str, versions: Versions) -> FileChange | None:
    """None if the change cannot matter to anyone. A difference from the revision counts like one from the working
    tree: the coverage may be newer than the change that is asked about, and older than others."""
    measured = versions.measured
    if measured is None:
        return None if versions.now is None else FileChange(path, is_new=True)
    change = SourceChange(whole="it is gone") if versions.now is None else source_change(measured, versions.now)
    if versions.is_different_then:
        is_newer = versions.then is None
        change |= SourceChange(whole="it is new") if is_newer else source_change(measured, versions.then or "")
    if versions.is_named and versions.now == measured and not change:
        change = SourceChange(whole="it is named as changed, and how is not to be seen")
    return FileChange(path, change) if change else None


def configuration_change(path: str, versions: Versions) -> FileChange | None:
    different = matters(path, versions.measured, versions.now)
    if versions.is_different_then:
        different = different or matters(path, versions.then, versions.now)
    return FileChange(path, is_configuration=True) if different or versions.is_named else None


def file_changes(paths: Iterable[str], versions_of: Callable[[str], Versions]) -> Mapping[str, FileChange]:
    """The changes that can matter, by path. What is neither Python nor configuration has changed because it is here."""
    found: dict[str, FileChange] = {}
    for path in paths:
        if path.endswith(".py") and not is_configuration(path):
            change = python_change(path, versions_of(path))
        elif is_configuration(path):
            change = configuration_change(path, versions_of(path))
        else:
            change = FileChange(path)
        if change is not None:
            found[path] = change
    return found
