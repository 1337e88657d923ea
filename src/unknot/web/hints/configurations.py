"""Where candidates come from: sources that propose them, and an optional filter.

`original`, `strings`, `traffic` and `storage` are sources; the candidates of several are combined. `verb`, `dobj`,
`noun` and `object` are filters by the names of tests, at most one; without a source they apply to `original`. TEDD's
eight configurations are `original` and `strings`, each alone and with each of the first three filters.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from unknot.model.candidates import Candidate, Candidates, check_pairs
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.reason import Reason
from unknot.model.suite import Order, Suite, TestId

ORIGINAL, STRINGS, TRAFFIC, STORAGE = "original", "strings", "traffic", "storage"
SOURCES = (ORIGINAL, STRINGS, TRAFFIC, STORAGE)
FILTERS = ("verb", "dobj", "noun", "object")

Found = tuple[list[Candidate], list[str]]
"""The candidates of a source, and its notes."""


@dataclass(frozen=True)
class CandidateConfiguration:
    """`filter` is empty if there is none."""

    sources: tuple[str, ...]
    filter: str = ""

    def __str__(self) -> str:
        return "+".join((*self.sources, *([self.filter] if self.filter else [])))


def parse_configuration(text: str) -> CandidateConfiguration:
    """Raises UsageError, which names the wrong word.

    >>> str(parse_configuration("noun+strings"))
    'strings+noun'
    >>> str(parse_configuration("verb"))
    'original+verb'
    """
    words = [word.strip() for word in text.split("+")]
    filters = [name for name in FILTERS if name in words]
    wrong = next((word for word in words if word not in (*SOURCES, *FILTERS)), None)
    if wrong is None and len(filters) <= 1:
        sources = tuple(source for source in SOURCES if source in words) or (ORIGINAL,)
        return CandidateConfiguration(sources, "".join(filters))
    if wrong is None:
        problem = f"`{text}` has two filters, {' and '.join(filters)}"
    elif wrong:
        problem = f"`{wrong}` in `{text}` is neither a source of candidates nor a filter"
    else:
        problem = f"a word is missing in the candidate configuration `{text}`"
    hint = f"Join words by +: sources {', '.join(SOURCES)}; at most one filter of {', '.join(FILTERS)}."
    raise UsageError(problem, hint=hint, slug="hints-invalid")


def every_earlier_pair(suite: Suite) -> Found:
    """The original order: each test may need every earlier one. Raises UsageError for a suite of thousands of tests."""
    check_pairs(len(suite) * (len(suite) - 1) // 2)
    return [Candidate(later, earlier) for later in range(len(suite)) for earlier in range(later)], []


def candidates_for(
    configuration: CandidateConfiguration, suite: Suite, sources: Mapping[str, Callable[[], Found]]
) -> Candidates:
    """The candidates of all sources of the configuration, filtered. `sources` has a function for each source except
    `original`, called only if it is needed."""
    edges: list[Candidate] = []
    notes: list[str] = []
    for name in configuration.sources:
        named, noted = every_earlier_pair(suite) if name == ORIGINAL else sources[name]()
        edges += named
        notes += noted
    found = Candidates.of(suite, edges, notes)
    if not configuration.filter:
        return found
    # A dictionary is loaded with it.
    from unknot.web.hints.names.filters import filter_candidates

    return filter_candidates(found, configuration.filter)


_MOST = 3

_Reasons = Mapping[tuple[TestId, TestId], tuple[Reason, ...]]


def with_candidate_reasons(dependencies: Dependencies, candidates: Candidates, *, beside_known: bool) -> Dependencies:
    """The dependencies with the reasons of the candidates between the same tests, in either direction. They precede the
    known reasons if `beside_known`; otherwise they replace them, since those may be outdated. A reason is an
    observation and proves nothing; the two runs do."""
    tests = candidates.suite.tests
    reasons = {(tests[edge.dependent], tests[edge.prerequisite]): edge.reasons for edge in candidates.edges}

    def why(test: TestId, others: Order, known: tuple[Reason, ...]) -> tuple[Reason, ...]:
        found = [reason for other in others for reason in _between(test, other, reasons)][:_MOST]
        return tuple(dict.fromkeys((*found, *known) if beside_known or not found else found))

    return replace(
        dependencies,
        needs=tuple(replace(need, why=why(need.dependent, need.any_of, need.why)) for need in dependencies.needs),
        conflicts=tuple(
            replace(each, why=why(each.victim, each.polluters, each.why)) for each in dependencies.conflicts
        ),
    )


def _between(one: TestId, other: TestId, reasons: _Reasons) -> Iterator[Reason]:
    for reader, writer in ((one, other), (other, one)):
        for reason in reasons.get((reader, writer), ()):
            yield replace(reason, writer=writer, reader=reader).portable()
