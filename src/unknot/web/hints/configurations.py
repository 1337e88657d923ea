"""Which suspects to start from: sources that name them, and a filter that takes some away.

`original`, `strings`, `traffic` and `storage` are sources; what several of them name is put together. `verb`, `dobj`,
`noun` and `object` are filters by the names of tests, at most one; without a source they stand over `original`. TEDD's
eight configurations are `original` and `strings`, each alone and with each of the first three filters.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from unknot.model.candidates import Candidate, Candidates, check_pairs
from unknot.model.errors import UsageError
from unknot.model.suite import Suite

ORIGINAL, STRINGS, TRAFFIC, STORAGE = "original", "strings", "traffic", "storage"
SOURCES = (ORIGINAL, STRINGS, TRAFFIC, STORAGE)
FILTERS = ("verb", "dobj", "noun", "object")

PUBLISHED = (
    "original",
    "strings",
    *(f"{source}+{name}" for name in ("verb", "dobj", "noun") for source in ("original", "strings")),
)
"""TEDD's configurations, in the sequence of its tables."""

OURS = ("original+object", "strings+object")
"""What stands beside them in our own."""

Found = tuple[list[Candidate], list[str]]
"""What a source names, and its notes."""


@dataclass(frozen=True)
class Configuration:
    """`filter` is empty where nothing is filtered."""

    sources: tuple[str, ...]
    filter: str = ""

    def __str__(self) -> str:
        return "+".join((*self.sources, *([self.filter] if self.filter else [])))


def parse_configuration(text: str) -> Configuration:
    """Raises UsageError that names the word in question.

    >>> str(parse_configuration("noun+strings"))
    'strings+noun'
    >>> str(parse_configuration("verb"))
    'original+verb'
    """
    words = [word.strip() for word in text.split("+")]
    hint = f"words joined by +: sources {', '.join(SOURCES)}; at most one filter of {', '.join(FILTERS)}"
    for word in words:
        if not word:
            raise UsageError(f"a word is missing in `{text}`, which is to say whom to suspect", hint=hint)
        if word not in (*SOURCES, *FILTERS):
            raise UsageError(f"`{word}` in `{text}` names neither a source of suspects nor a filter", hint=hint)
    filters = [name for name in FILTERS if name in words]
    if len(filters) > 1:
        raise UsageError(f"`{text}` has two filters, {' and '.join(filters)}", hint=hint)
    sources = tuple(source for source in SOURCES if source in words) or (ORIGINAL,)
    return Configuration(sources, filters[0] if filters else "")


def every_earlier_pair(suite: Suite) -> Found:
    """The original order: each test is suspected to need every earlier one. Raises UsageError for a suite of
    thousands of tests."""
    check_pairs(len(suite) * (len(suite) - 1) // 2)
    return [Candidate(later, earlier) for later in range(len(suite)) for earlier in range(later)], []


def suspects_for(
    configuration: Configuration,
    suite: Suite,
    sources: Mapping[str, Callable[[], Found]],
    *,
    filters: Mapping[str, Callable[[Candidates], Candidates]],
) -> Candidates:
    """What the sources of the configuration name, filtered. `sources` has what is known of each but `original`, asked
    for only if it is wanted."""
    edges: list[Candidate] = []
    notes: list[str] = []
    for name in configuration.sources:
        named, noted = every_earlier_pair(suite) if name == ORIGINAL else sources[name]()
        edges += named
        notes += noted
    found = Candidates.of(suite, edges, notes)
    if not configuration.filter:
        return found
    kept = filters[configuration.filter](found)
    return replace(kept, extracted=found.extracted)
