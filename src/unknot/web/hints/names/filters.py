"""Suspicions that the names of both tests speak against are dropped.

Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019, section 3.2.2.

verb    the prerequisite must write: what only reads leaves nothing for others to need
dobj    and the two must have the same direct object
noun    and the two must have a noun in common
object  and what the prerequisite writes, its direct object, must be named by the dependent; this one is our own

What is not known about a name keeps the edge. A test whose name plainly says that it is refused reads (see `refusal`);
others that look like it (AddEmptyUser, `…Negative`) are judged by their verbs: some of them write all the same, and an
edge too many costs one order, one too few more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from unknot.model.candidates import Candidate, Candidates
from unknot.web.hints.names.named import NamedTest, named
from unknot.web.hints.names.suite_names import Naming, suite_names

Filter = Literal["verb", "dobj", "noun", "object"]

_NAMED_IN_A_NOTE = 5


def filtered(suspects: Candidates, by: Filter, naming: Naming = named) -> Candidates:
    """Those edges that this filter keeps, each with a reason more, or a gap; `extracted` stays. Linear in the edges."""
    names = suite_names(suspects.suite, naming)
    kept = [
        _explained(edge, names, by)
        for edge in suspects.edges
        if _may_need(names[edge.dependent], names[edge.prerequisite], by)
    ]
    involved = {test for edge in suspects.edges for test in (edge.dependent, edge.prerequisite)}
    silent = [suspects.suite.tests[test] for test in sorted(involved) if names[test].kind is None]
    notes = tuple(dict.fromkeys((*suspects.notes, *_note(silent))))
    return replace(suspects, edges=tuple(kept), notes=notes)


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
        return replace(edge, gaps=_with(edge.gaps, "not known which of them reads or writes"))
    does = "reads" if dependent.kind == "read" else "changes"
    told = f"`{dependent.verb}` {does} what `{prerequisite.verb}` writes{_about(dependent, prerequisite, by)}"
    return replace(edge, reasons=_with(edge.reasons, told))


def _with(known: tuple[str, ...], told: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, f"by name: {told}")))


def _about(dependent: NamedTest, prerequisite: NamedTest, by: Filter) -> str:
    if by == "verb":
        return ""
    theirs = prerequisite.nouns if by == "noun" else frozenset({prerequisite.object}) - {""}
    common = theirs & (frozenset({dependent.object}) if by == "dobj" else dependent.nouns)
    return f", both about {', '.join(sorted(common))}" if common else ""


def _note(silent: Sequence[str]) -> list[str]:
    if not silent:
        return []
    more = f" and {len(silent) - _NAMED_IN_A_NOTE} more" if len(silent) > _NAMED_IN_A_NOTE else ""
    some = ", ".join(silent[:_NAMED_IN_A_NOTE]) + more
    return [f"no verb that tells whether it reads or writes in the name of {some}: what is suspected of it is kept"]


FILTERS: Mapping[str, Callable[[Candidates], Candidates]] = {
    "verb": partial(filtered, by="verb"),
    "dobj": partial(filtered, by="dobj"),
    "noun": partial(filtered, by="noun"),
    "object": partial(filtered, by="object"),
}
