"""The lines of the user's code behind a claim, as the recording names them and as the files are now."""

from collections.abc import Iterable, Mapping
from os.path import normpath
from pathlib import Path

from unknot.app.fix.edges import Edge, edges_of
from unknot.model.dependencies import Dependencies
from unknot.model.reason import Reason, ReasonKind, users_frame
from unknot.model.recording import Recording
from unknot.model.suite import TestId
from unknot.recorder.reasons import best_of_each
from unknot.report.text.excerpts import CodeExcerpt, Source
from unknot.runners.sandbox.working_copy import project_root
from unknot.store.state_directory import StateDirectory

_MOST_CLAIMS = 1_000
"""Finding a reason goes through the whole recording; of a suite with more claims the first ones are shown."""

_MOST_EXCERPTS = 4
"""Of one claim: where it is written and read, for two of the tests that it names."""

_MOST_CHARACTERS = 2_000_000
"""Of one file. Longer ones are generated."""

Excerpts = Mapping[tuple[TestId, int], tuple[CodeExcerpt, ...]]
"""By a claim's test and its number in `relations_of`."""


class SourceFiles:
    """The project's files as they are now. Each is read once; one outside the project, or that is no file, is gone."""

    def __init__(self, directory: Path, state: Path) -> None:
        self._root = project_root(directory)
        path = StateDirectory(state).recording
        # Without a recording the age of a line is not known.
        self._recorded = path.stat().st_mtime if path.exists() else float("inf")
        self._known: dict[str, Source] = {}

    def source(self, path: str) -> Source:
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> Source:
        place = Path(normpath(self._root / path))
        try:
            if not place.is_relative_to(self._root) or not place.is_file():
                return Source(None)
            with place.open(encoding="utf-8", errors="replace") as file:
                text = file.read(_MOST_CHARACTERS)
            return Source(text, is_newer=place.stat().st_mtime > self._recorded)
        except (OSError, ValueError):
            # A null byte in a path is a ValueError.
            return Source(None)


def excerpts_of(dependencies: Dependencies, recording: Recording | None, directory: Path, state: Path) -> Excerpts:
    """The excerpts of every claim, by its test and its number in `relations_of`; a claim without a recorded
    reason has no entry. What its reasons name comes before what was recorded. A few for each claim, for a bounded
    number of claims. Cost: that of the reasons; each file is read once."""
    files = SourceFiles(directory, state)
    claims = (
        (test, number, edge)
        for test in dependencies.suite.tests
        for number, edge in enumerate(edges_of(dependencies, test))
    )
    recorded = (claim for claim in claims if not any(reason.is_empty for reason in claim[2].claim.why))
    found = {
        (test, number): _of_edge(edge, recording, files)[:_MOST_EXCERPTS]
        for (test, number, edge), _ in zip(recorded, range(_MOST_CLAIMS), strict=False)
    }
    return {key: some for key, some in found.items() if some}


def _of_edge(edge: Edge, recording: Recording | None, files: SourceFiles) -> tuple[CodeExcerpt, ...]:
    known = edge.claim.why
    if recording is None:
        return excerpts(known, files)
    return excerpts((*unrecorded(known), *shown_reasons(edge, edge.reasons(recording))), files)


def unrecorded(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Those that did not come from a recording."""
    return tuple(reason for reason in reasons if not reason.is_recorded)


def shown_reasons(edge: Edge, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """The best reason for each writer. Where reads cannot be recorded, only what the claim itself says: it was
    explained with all claims known."""
    best = best_of_each(reasons)
    if edge.claim.why and all(reason.unseen for reason in best):
        return tuple(reason for reason in best if reason.portable() in edge.claim.why)
    return best


def excerpts(reasons: Iterable[Reason], files: SourceFiles) -> tuple[CodeExcerpt, ...]:
    """Where each is written and read: the innermost lines that are the user's own. Each line once."""
    found: dict[CodeExcerpt, None] = {}
    for reason in reasons:
        written, read = ("submitted", "used") if reason.kind is ReasonKind.STRING else ("written", "read")
        for label, stack in ((written, reason.written), (read, reason.read)):
            if (frame := users_frame(stack)) is not None:
                found[CodeExcerpt(label, frame, files.source(frame.file))] = None
    return tuple(found)
