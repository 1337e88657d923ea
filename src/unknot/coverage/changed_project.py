"""A project, its coverage data, and what changed since they were recorded."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.coverage.changed_files import FileChange, Versions, file_change
from unknot.coverage.contexts import LineCoverage, read_contexts
from unknot.coverage.coverage_recording import CoverageRecording, read_recording, recording_path
from unknot.coverage.git_history import GitHistory
from unknot.coverage.project_files import CONFIGURATION, decode_source, digest_now, source_now
from unknot.model.errors import UsageError


@dataclass(frozen=True)
class ChangedProject:
    """All paths are relative to the project's root. `recording` is None for a data file that unknot did not record."""

    coverage: LineCoverage
    recording: CoverageRecording | None
    changes: Mapping[str, FileChange]
    sources: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def open(
        cls, root: Path, data_file: Path, since: str | None, named: Sequence[str], ours: Sequence[Path] = ()
    ) -> "ChangedProject":
        """Reads all that is needed to assess a change. Ignores changes in unknot's own files (`ours`). Raises
        UsageError or StorageError."""
        coverage = from_root(read_contexts(data_file), root, data_file)
        kept = recording_path(data_file)
        recording = read_recording(kept) if kept.exists() else None
        comparing = _Comparing(root, coverage, recording, since, [_named(root, name) for name in named])
        own = {_relative(os.path.abspath(path), [str(root)]) for path in ours}
        return comparing.compared(frozenset(path for path in own if path is not None))


def from_root(coverage: LineCoverage, root: Path, data_file: Path) -> LineCoverage:
    """The same coverage with paths relative to the root; files elsewhere are left out."""
    roots = {str(root), os.path.realpath(root)}
    names = {file: name for file in coverage.files if (name := _relative(file, roots)) is not None}
    if not names:
        raise UsageError(
            f"{data_file}: none of its files is in {root}",
            hint="Record it in this project, or run unknot in that one.",
            slug="coverage-other-suite",
        )
    return LineCoverage(
        {names[file]: by_test for file, by_test in coverage.lines.items() if file in names},
        {names[file]: by_test for file, by_test in coverage.arcs.items() if file in names},
        {names[file]: lines for file, lines in coverage.at_import.items() if file in names},
    )


def _relative(file: str, roots: Iterable[str]) -> str | None:
    if not os.path.isabs(file):
        return file.replace(os.sep, "/")
    for root in roots:
        if file.startswith(root + os.sep):
            return file[len(root) + 1 :].replace(os.sep, "/")
    return None


def _named(root: Path, name: str) -> str:
    path = _relative(os.path.abspath(name), [str(root), os.path.realpath(root)])
    if path is None:
        raise UsageError(
            f"{name} is not in the project {root}", hint="Name files of the project.", slug="path-outside-project"
        )
    return path


class _Comparing:
    def __init__(
        self,
        root: Path,
        coverage: LineCoverage,
        recording: CoverageRecording | None,
        since: str | None,
        named: list[str],
    ) -> None:
        self._root = root
        self._coverage = coverage
        self._recording = recording
        self._notes: list[str] = []
        self._named = frozenset(named)
        self._git, self._commit = self._history(since)
        different = frozenset(self._git.changed_since(self._commit)) if self._git else frozenset[str]()
        # Files without a commit mean: compare these files only.
        self._different = different if since is not None or not named else different & self._named

    def compared(self, ours: frozenset[str]) -> ChangedProject:
        seen = self._different | self._named
        paths = sorted({*self._expanded(seen), *self._different_from_recording()} - ours)
        found = ((path, file_change(path, self._versions)) for path in paths)
        changes = {path: change for path, change in found if change is not None}
        for path in self._named:
            if not (self._root / path).exists() and path not in changes:
                raise UsageError(f"{path}: no such file, now or before", hint="Check its name.", slug="path-not-found")
        return ChangedProject(self._coverage, self._recording, changes, self._sources(), tuple(self._notes))

    def _history(self, since: str | None) -> tuple[GitHistory | None, str]:
        """Without a recording, the measured sources are those of a commit. With one, git is needed only for the
        differences from a commit."""
        try:
            git = GitHistory(self._root)
            return git, git.resolve(since if since is not None else "HEAD")
        except UsageError as problem:
            if since is not None or self._recording is None:
                raise
            if not self._named:
                self._notes.append(f"{problem.message}; compared only with the recording")
            return None, ""

    def _expanded(self, paths: Iterable[str]) -> Iterable[str]:
        """Replaces a submodule or a named directory by the known files below it, and adds the directory of a file that
        was added or deleted."""
        known = {*self._coverage.files, *(self._recording.sources if self._recording else ())}
        listed = self._recording.data if self._recording else {}
        for path in paths:
            if (self._root / path).is_dir():
                yield from (file for file in {*known, *listed} if file.startswith(f"{path}/"))
                continue
            yield path
            parent = path.rpartition("/")[0] or "."
            if parent in listed and self._came_or_went(path):
                yield parent

    def _came_or_went(self, path: str) -> bool:
        there = (self._root / path).exists()
        before = self._git.content_at(self._commit, path) is not None if self._git else not there
        return there != before

    def _different_from_recording(self) -> Iterable[str]:
        if self._recording is None:
            return
        for path, text in self._recording.sources.items():
            if source_now(self._root, path) != text:
                yield path
        for path, known in self._recording.data.items():
            if digest_now(self._root, path) != known.digest:
                yield path
        for path in CONFIGURATION:
            if path not in self._recording.sources and (self._root / path).exists():
                yield path

    def _versions(self, path: str) -> Versions:
        now = source_now(self._root, path)
        is_different_then = path in self._different
        then = self._then(path) if is_different_then or self._recording is None else None
        if self._recording is not None:
            measured = self._recording.sources.get(path)
        else:
            measured = then if is_different_then else now
        return Versions(measured, now, then, is_different_then=is_different_then, is_named=self._is_named(path))

    def _is_named(self, path: str) -> bool:
        """Also if it is in a named directory, or in a submodule at another commit."""
        return path in self._named or any(path.startswith(f"{name}/") for name in self._named | self._different)

    def _then(self, path: str) -> str | None:
        content = self._git.content_at(self._commit, path) if self._git else None
        return None if content is None else decode_source(content)

    def _sources(self) -> dict[str, str]:
        if self._recording is not None:
            return {path: text for path, text in self._recording.sources.items() if path.endswith(".py")}
        assert self._git is not None
        python = {path for path in self._git.files_at(self._commit) if path.endswith(".py")}
        texts = {path: self._versions(path).measured for path in python | self._coverage.files}
        return {path: text for path, text in texts.items() if text is not None}
