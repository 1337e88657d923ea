"""Dependencies as a recording of one run suggests them: enough to plan by, and nothing of it proved.

Idea
    A test that read what others had left behind may need all of it. So each recorded read becomes a need of every test
    whose writes it may have found. Every order of a plan follows the reference order, so a test that wrote later
    than the reader runs later in every order too: anti-dependencies need no constraint of their own.
Reference
    Bell et al., "Efficient Dependency Detection for Safe Java Test Acceleration", ESEC/FSE 2015, section 3.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Access, FlowKind, Location, Recording
from unknot.model.suite import Order, Suite, TestId

_ASSUMED = Proof((), ())
_ONE_VALUE = re.compile(r"None|True|False|b?['\"]|[-+]?[\d.]|<removed>")
"""How a value is shown that a write replaces as a whole: not a container or an object, to which a write may add."""


def assumed_dependencies(recording: Recording, known: Dependencies | None = None) -> Dependencies:
    """What a plan must respect if every recorded flow counts, caches aside, together with what is `known` of the same
    tests. Complete, in the sense that makers and the check take it for the whole truth: a caller says that it is not,
    and repairs what fails. A test that failed while it was recorded is expected to pass: if it fails again, the suite's
    own order decides.

    Guarantee: in every subsequence of the reference order that meets these needs, each location holds what it held in
    the recorded run whenever a test reads it. Assumes that all reads and writes were recorded, and that a test which
    restored what was there before the first test does so whatever it finds. Cost: linear in the reads of each location
    times its writes.
    """
    suite = Suite(tuple(test for test in recording.tests if test in recording.outcomes))
    known = known or Dependencies(Suite(()), {}, {})
    recorded = {test: _hoped_for(outcome) for test, outcome in recording.outcomes.items()}
    outcomes: Mapping[TestId, Outcome] = {**recorded, **known.outcomes}
    proved = known.among(tuple(test for test in suite.tests if test in known.suite.index))
    claimed = {(need.dependent, *need.any_of) for need in proved.needs}
    assumed = [need for need in _needs(recording, suite) if (need.dependent, *need.any_of) not in claimed]
    return replace(
        proved,
        suite=suite,
        outcomes={test: outcomes[test] for test in suite.tests},
        seconds={**recording.seconds, **proved.seconds},
        needs=(*(need for need in proved.needs if need.any_of), *assumed),
        untried=0,
        untried_rows=(),
        complete=True,
    )


def _hoped_for(outcome: Outcome) -> Outcome:
    return Outcome.PASSED if outcome.is_bad and not outcome.ends_process else outcome


def _needs(recording: Recording, suite: Suite) -> Iterator[Need]:
    pairs = dict.fromkeys(
        (reader, writer)
        for reader, location in _reads(recording)
        if location in recording.account_of
        for writer in _found_writes(recording.account_of[location].writes, reader, suite)
    )
    for reader, writer in sorted(pairs, key=lambda pair: (suite.index[pair[0]], suite.index[pair[1]])):
        yield Need(reader, (writer,), _ASSUMED, complete=False)


def _reads(recording: Recording) -> Iterable[tuple[TestId, Location]]:
    """Tests with locations in which they found what another had left, and which may matter to them."""
    return (
        (flow.reader, flow.location)
        for flow in recording.flows
        if flow.kind is FlowKind.READ_AFTER_WRITE and not flow.harmless
    )


def _found_writes(writes: Iterable[Access], reader: TestId, suite: Suite) -> Order:
    """The tests whose writes make up what the reader found: the last one, and those before it back to one that replaced
    or restored the whole."""
    place = suite.index
    if reader not in place:
        return ()
    earlier = [write for write in writes if write.test in place and place[write.test] < place[reader]]
    found: list[TestId] = []
    for write in reversed(earlier):
        found.append(write.test)
        if write.restored or _ONE_VALUE.match(write.shown):
            break
    return tuple(found)
