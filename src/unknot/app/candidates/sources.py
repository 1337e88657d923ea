"""Candidates for dependencies, gathered from the hints that the user has chosen: code, names, traffic, storage."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from unknot.app.candidates.free_values import notes_on_common, notes_on_dropped, read_reviewed
from unknot.app.configuration import PYTEST
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import Session, open_session, settings_from
from unknot.model.candidates import Candidates, StringUse
from unknot.model.errors import CollectionError, RunnerError, UsageError
from unknot.model.sanitise import shown
from unknot.model.suite import Suite
from unknot.model.traffic import Traffic
from unknot.report.wording import counted
from unknot.web.hints.configurations import (
    STORAGE,
    STRINGS,
    TRAFFIC,
    Found,
    candidates_for,
    every_earlier_pair,
    parse_configuration,
)
from unknot.web.hints.strings import in_every_test, string_candidates


@dataclass(frozen=True, kw_only=True)
class HintOptions:
    """`hints` are words joined by +: sources, and at most one filter by test names. `free_values` imply no
    dependency."""

    hints: str = ""
    free_values: tuple[str, ...] = ()


@dataclass
class CandidateSearch:
    """Uses each source at most once, and only those that the hints name."""

    options: HintOptions
    state: Path
    suite: Suite
    read_uses: Callable[[], Sequence[StringUse]]
    record_traffic: Callable[[], Traffic]

    def __post_init__(self) -> None:
        self.configuration = parse_configuration(self.options.hints)

    @cached_property
    def uses(self) -> Sequence[StringUse]:
        """The strings that each test uses."""
        return self.read_uses()

    @cached_property
    def _traffic(self) -> Traffic | RunnerError:
        """In either case the suite is run for it only once."""
        try:
            return self.record_traffic()
        except RunnerError as problem:
            return problem

    def candidates(self) -> Candidates:
        sources: Mapping[str, Callable[[], Found]] = {
            STRINGS: self._from_strings,
            TRAFFIC: lambda: self._from_recording(TRAFFIC),
            STORAGE: lambda: self._from_recording(STORAGE),
        }
        return candidates_for(self.configuration, self.suite, sources)

    def _from_strings(self) -> Found:
        uses = self.uses
        everywhere = in_every_test(uses)
        free = everywhere | {*self.options.free_values, *read_reviewed(self.state).free}
        edges, notes = string_candidates(self.suite, uses, free)
        notes = [*notes, *notes_on_dropped(everywhere), *notes_on_common(uses, free)]
        if not any(use.submitted or use.gaps for use in uses):
            notes = [*notes, "no test was found to type, select or upload anything"]
        return edges, notes

    def _from_recording(self, source: str) -> Found:
        """Without recorded traffic no pair is cleared: every pair stays a candidate."""
        from unknot.web.hints.storage import storage_candidates
        from unknot.web.hints.traffic.candidates import traffic_candidates

        recorded = self._traffic
        if isinstance(recorded, RunnerError):
            notes = [f"traffic was not recorded: {recorded.message}"]
        else:
            find = traffic_candidates if source == TRAFFIC else storage_candidates
            edges, notes = find(recorded, self.suite)
            if not recorded.is_silent:
                return edges, notes
        pairs, _ = every_earlier_pair(self.suite)
        return pairs, [*notes, "no browser traffic was recorded, so every pair stays a candidate"]


def candidate_search(
    session: Session,
    options: HintOptions,
    state: Path,
    listener: ProgressListener,
    max_seconds: float | None = None,
) -> CandidateSearch:
    """Of the session's suite. With a limit for the search, recording traffic may take half as long in addition."""

    def traffic() -> Traffic:
        from unknot.app.recording.traffic import record_for_hints

        return record_for_hints(session.settings, session.kind, state, listener, max_seconds)

    suite = session.listing.suite

    def strings() -> Sequence[StringUse]:
        # Readers of test code take a while to import.
        from unknot.app.candidates.suite_code import string_uses_of

        return string_uses_of(session.listing, session.kind)

    return CandidateSearch(options, state, suite, strings, traffic)


def candidates_for_detection(
    session: Session, options: HintOptions, state: Path, listener: ProgressListener, max_seconds: float | None
) -> Candidates:
    """The pairs that a detection tries first."""
    search = candidate_search(session, options, state, listener, max_seconds)
    found = search.candidates()
    for note in found.notes:
        listener.note(shown(note))
    listener.status(f"{counted(len(found.edges), 'candidate pair')} from {search.configuration}")
    return found


def search_of_project(
    runner: RunnerOptions, options: HintOptions, state: Path, listener: ProgressListener, resources: ExitStack
) -> CandidateSearch:
    """Of a project's suite. What it starts is closed with `resources`. Code and names are known without the system
    under test: it is started only if pytest cannot collect without it."""
    settings = replace(settings_from(runner, listener), workers=1)
    session = None
    if settings.instance is not None and runner.kind == PYTEST:
        with suppress(CollectionError):
            session = resources.enter_context(open_session(replace(settings, instance=None), runner, listener))
    if session is None:
        session = resources.enter_context(open_session(settings, runner, listener))
    # Recording traffic needs the system after all.
    session = replace(session, settings=replace(session.settings, instance=settings.instance))
    return candidate_search(session, options, state, listener)


def search_of_data(path: Path, options: HintOptions, state: Path) -> CandidateSearch:
    """Of a suite that a file describes."""
    from unknot.store.suite_data import read_suite_data

    data = read_suite_data(path)
    return CandidateSearch(options, state, data.suite, lambda: data.uses, _no_traffic)


def _no_traffic() -> Traffic:
    raise UsageError(
        "a file has no traffic to record",
        hint="Use the hints `strings`, or a filter by names.",
        slug="options-conflict",
    )
