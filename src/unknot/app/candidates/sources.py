"""Whom a suite's own code, names and traffic make suspicious, gathered for a detection or to be shown."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rich.console import Console

from unknot.app.candidates.free_values import named_free, notes_on_common, notes_on_dropped
from unknot.app.candidates.test_code import said_by_code
from unknot.app.recording.traffic import recorded_traffic
from unknot.app.session.session import Workplace
from unknot.model.candidates import Candidates, StringUse
from unknot.model.errors import RunnerError
from unknot.model.sanitise import shown
from unknot.model.suite import Suite
from unknot.report.wording import counted
from unknot.web.hints.configurations import (
    FILTERS,
    SOURCES,
    STORAGE,
    STRINGS,
    TRAFFIC,
    Configuration,
    Found,
    every_earlier_pair,
    parse_configuration,
    suspects_for,
)
from unknot.web.hints.free_values import in_every_test
from unknot.web.hints.strings import string_suspicions

if TYPE_CHECKING:
    from unknot.model.traffic import Traffic


def add_suspecting(parser: argparse.ArgumentParser, default: str) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("whom to suspect")
    group.add_argument(
        "--suspects",
        default=default,
        metavar="WORDS",
        help=f"words joined by +: sources {', '.join(SOURCES)}, and at most one filter by the names of tests,"
        f" {', '.join(FILTERS)}; for example strings+noun" + (f" (default: {default})" if default else ""),
    )
    group.add_argument(
        "--free-values",
        action="append",
        default=[],
        metavar="VALUE",
        help="a string that no test needs another for, such as a default login; may be given several times",
    )
    return group


class Suspecting:
    """Asks each source once, and only those that the configuration names."""

    def __init__(
        self,
        options: argparse.Namespace,
        suite: Suite,
        uses: Callable[[], Sequence[StringUse]],
        traffic: "Callable[[], Traffic]",
    ) -> None:
        self.configuration: Configuration = parse_configuration(options.suspects)
        self._options = options
        self._suite = suite
        self._read = uses
        self._traffic = traffic

    @cached_property
    def uses(self) -> Sequence[StringUse]:
        """What each test says."""
        return self._read()

    @cached_property
    def _recorded(self) -> "Traffic | RunnerError":
        """Whichever it is, the suite was run for it once."""
        try:
            return self._traffic()
        except RunnerError as problem:
            return problem

    def suspects(self) -> Candidates:
        sources: Mapping[str, Callable[[], Found]] = {
            STRINGS: self._strings,
            TRAFFIC: self._by_traffic,
            STORAGE: self._by_storage,
        }
        filters = _by_name() if self.configuration.filter else {}
        return suspects_for(self.configuration, self._suite, sources, filters=filters)

    def _strings(self) -> Found:
        uses = self.uses
        everywhere = in_every_test(uses)
        free = everywhere | named_free(self._options)
        edges, notes = string_suspicions(self._suite, uses, free)
        notes = [*notes, *notes_on_dropped(everywhere), *notes_on_common(uses, free)]
        if not any(said.submitted or said.gaps for said in uses):
            notes = [*notes, "no test was seen to type, select or upload anything"]
        return edges, notes

    def _by_traffic(self) -> Found:
        from unknot.web.hints.traffic.candidates import traffic_suspicions

        return self._heard(traffic_suspicions)

    def _by_storage(self) -> Found:
        from unknot.web.hints.storage import storage_suspicions

        return self._heard(storage_suspicions)

    def _heard(self, suspicions: "Callable[[Traffic, Suite], Found]") -> Found:
        """Where nothing could be heard nobody is cleared: every pair stays suspected."""
        recorded = self._recorded
        if isinstance(recorded, RunnerError):
            notes = [f"traffic was not recorded: {recorded.message}"]
        else:
            edges, notes = suspicions(recorded, self._suite)
            if not recorded.is_silent:
                return edges, notes
        pairs, _ = every_earlier_pair(self._suite)
        return pairs, [*notes, "nothing was heard of any browser, so every pair stays suspected"]


def _by_name() -> Mapping[str, Callable[[Candidates], Candidates]]:
    # A dictionary is loaded with them.
    from unknot.web.hints.names.filters import FILTERS as by_name

    return by_name


def suspected_in(place: Workplace, options: argparse.Namespace, console: Console) -> Candidates:
    """Whom a detection of this suite asks about first."""
    suspecting = of_workplace(place, options, console)
    found = suspecting.suspects()
    for note in found.notes:
        console.print(f"note: {shown(note)}", markup=False)
    if not options.quiet:
        pairs = f"{counted(len(found.edges), 'pair')} of tests suspected"
        console.print(f"{pairs} by {suspecting.configuration}", markup=False)
    return found


def of_workplace(place: Workplace, options: argparse.Namespace, console: Console) -> Suspecting:
    return Suspecting(
        options,
        place.listing.suite,
        lambda: said_by_code(place.listing, place.kind),
        lambda: recorded_traffic(place.settings, options, place.kind, console),
    )
