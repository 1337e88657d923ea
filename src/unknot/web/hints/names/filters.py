"""Drops candidates that the names of both tests contradict.

Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019, section 3.2.2.

verb    the prerequisite must write: a test that only reads leaves nothing for others to need
dobj    and the two must have the same direct object
noun    and the two must have a noun in common
object  and what the prerequisite writes, its direct object, must be read by the dependent; this one is our own

If a name is unclear, the edge is kept. A test whose name clearly says that its action is refused counts as reading (see
`is_refused`). Similar names (AddEmptyUser, `…Negative`) are judged by their verbs: some of these tests write all the
same. An edge too many costs one order; a missing one costs more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from unknot.model.candidates import Candidate, Candidates
from unknot.model.reason import Reason, ReasonKind
from unknot.web.hints.names.name_reading import NamedTest, Naming, read_name, suite_names

Filter = Literal["verb", "dobj", "noun", "object"]

_NAMED_IN_A_NOTE = 5


def filter_candidates(candidates: Candidates, by: Filter, naming: Naming = read_name) -> Candidates:
    """The edges that this filter keeps, each with one more reason or gap; `extracted` stays. Linear in the edges."""
    names = suite_names(candidates.suite, naming)
    kept = [
        _explained(edge, names, by)
        for edge in candidates.edges
        if _may_need(names[edge.dependent], names[edge.prerequisite], by)
    ]
    involved = {test for edge in candidates.edges for test in (edge.dependent, edge.prerequisite)}
    silent = [candidates.suite.tests[test] for test in sorted(involved) if names[test].kind is None]
    notes = tuple(dict.fromkeys((*candidates.notes, *_note(silent))))
    return replace(candidates, edges=tuple(kept), notes=notes)


def _may_need(dependent: NamedTest, prerequisite: NamedTest, by: Filter) -> bool:
    if prerequisite.kind == "read" and dependent.kind is not None:
        return False
    if by == "verb" or dependent.kind is None or prerequisite.kind is None:
        return True
    if by == "dobj":
        return dependent.object == prerequisite.object or not (dependent.object and prerequisite.object)
    if by == "object":
        return prerequisite.object in dependent.nouns or not (dependent.nouns and prerequisite.object)
    return bool(dependent.nouns & prerequisite.nouns) or not (dependent.nouns and prerequisite.nouns)


def _explained(edge: Candidate, names: Sequence[NamedTest], by: Filter) -> Candidate:
    dependent, prerequisite = names[edge.dependent], names[edge.prerequisite]
    if dependent.kind is None or prerequisite.kind is None:
        gap = "by name: unknown which of them reads or writes"
        return replace(edge, gaps=tuple(dict.fromkeys((*edge.gaps, gap))))
    reason = Reason(
        ReasonKind.NAME_READS if dependent.kind == "read" else ReasonKind.NAME_CHANGES,
        writing=prerequisite.verb,
        reading=dependent.verb,
        shown=_about(dependent, prerequisite, by),
    )
    return replace(edge, reasons=tuple(dict.fromkeys((*edge.reasons, reason))))


def _about(dependent: NamedTest, prerequisite: NamedTest, by: Filter) -> str:
    if by == "verb":
        return ""
    theirs = prerequisite.nouns if by == "noun" else frozenset({prerequisite.object}) - {""}
    common = theirs & (frozenset({dependent.object}) if by == "dobj" else dependent.nouns)
    return ", ".join(sorted(common))


def _note(silent: Sequence[str]) -> list[str]:
    if not silent:
        return []
    more = f" and {len(silent) - _NAMED_IN_A_NOTE} more" if len(silent) > _NAMED_IN_A_NOTE else ""
    some = ", ".join(silent[:_NAMED_IN_A_NOTE]) + more
    return [f"no verb in the name of {some} shows whether it reads or writes: its candidates are kept"]


FILTERS: Mapping[str, Callable[[Candidates], Candidates]] = {
    "verb": partial(filter_candidates, by="verb"),
    "dobj": partial(filter_candidates, by="dobj"),
    "noun": partial(filter_candidates, by="noun"),
    "object": partial(filter_candidates, by="object"),
}
