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

from collections.abc import Sequence
from dataclasses import replace

from unknot.model.candidates import Candidate, Candidates
from unknot.model.reason import Reason, ReasonKind
from unknot.web.hints.names.name_reading import NamedTest, suite_names

_NAMED_IN_A_NOTE = 5


def filter_candidates(candidates: Candidates, by: str) -> Candidates:
    """The edges that this filter keeps, each with one more reason or gap; `extracted` stays. Linear in the edges."""
    names = suite_names(candidates.suite)
    kept = []
    for edge in candidates.edges:
        dependent, prerequisite = names[edge.dependent], names[edge.prerequisite]
        if _may_need(dependent, prerequisite, by):
            kept.append(_explained(edge, dependent, prerequisite, by))
    involved = {test for edge in candidates.edges for test in (edge.dependent, edge.prerequisite)}
    silent = [candidates.suite.tests[test] for test in sorted(involved) if names[test].kind is None]
    notes = tuple(dict.fromkeys((*candidates.notes, *_note(silent))))
    return replace(candidates, edges=tuple(kept), notes=notes)


def _may_need(dependent: NamedTest, prerequisite: NamedTest, by: str) -> bool:
    if dependent.kind is None:
        return True
    if prerequisite.kind != "write":
        return prerequisite.kind is None
    mine, theirs = _compared(dependent, prerequisite, by)
    return bool(mine & theirs) or not mine or not theirs


def _compared(dependent: NamedTest, prerequisite: NamedTest, by: str) -> tuple[frozenset[str], frozenset[str]]:
    """What of the two names must have a word in common, unless one of them is empty."""
    if by == "verb":
        return frozenset(), frozenset()
    mine = dependent.objects if by == "dobj" else dependent.nouns
    return mine, prerequisite.nouns if by == "noun" else prerequisite.objects


def _explained(edge: Candidate, dependent: NamedTest, prerequisite: NamedTest, by: str) -> Candidate:
    if dependent.kind is None or prerequisite.kind is None:
        gap = "by name: unknown which of them reads or writes"
        return replace(edge, gaps=tuple(dict.fromkeys((*edge.gaps, gap))))
    mine, theirs = _compared(dependent, prerequisite, by)
    reason = Reason(
        ReasonKind.NAME_READS if dependent.kind == "read" else ReasonKind.NAME_CHANGES,
        writing=prerequisite.verb,
        reading=dependent.verb,
        shown=", ".join(sorted(mine & theirs)),
    )
    return replace(edge, reasons=tuple(dict.fromkeys((*edge.reasons, reason))))


def _note(silent: Sequence[str]) -> list[str]:
    if not silent:
        return []
    more = f" and {len(silent) - _NAMED_IN_A_NOTE} more" if len(silent) > _NAMED_IN_A_NOTE else ""
    some = ", ".join(silent[:_NAMED_IN_A_NOTE]) + more
    return [f"no verb in the name of {some} shows whether it reads or writes: its candidates are kept"]
