"""All dependencies in brief, by the state behind them: one line for each test, most dependencies first."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from unknot.model.cause import Cause, causes, dependent
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.reason import users_frame
from unknot.model.recording import Location
from unknot.model.suite import TestId
from unknot.report.relations import Relation, group_relations, relation_of
from unknot.report.short_ids import ShortIds
from unknot.report.text.lines import Lines
from unknot.report.wording import cause_words

_MOST_CAUSES = 20
_MOST_TESTS = 5
_MOST_WITHOUT_CAUSE = 40
"""They have nothing in common that would stand for those left out."""
_MOST_PARTNERS = 3

Claims = Sequence[Need | Conflict]


def add_causes(lines: Lines, dependencies: Dependencies) -> None:
    """Each cause with its tests; those of a single dependency in one list. Long lists are shortened; `unknot report`
    has everything."""
    found = causes(dependencies)
    ids = ShortIds(dependencies.suite)
    shared = [cause for cause in found if cause.dependencies > 1]
    single = found[len(shared) :]
    for cause in shared[:_MOST_CAUSES]:
        lines.line()
        lines.line(cause_words(cause, _place(cause)), "bold")
        _add_tests(lines, dependencies, ids, cause.claims)
    if len(shared) > _MOST_CAUSES:
        lines.line()
        lines.line(f"and {len(shared) - _MOST_CAUSES} more causes of several: unknot report")
    if single:
        lines.line()
        lines.line("One dependency each:" if len(single) > 1 else "One dependency:", "bold")
        for cause in single[:_MOST_CAUSES]:
            _add_tests(lines, dependencies, ids, cause.claims, f" ({_place(cause)})")
        if len(single) > _MOST_CAUSES:
            lines.line(f"  and {len(single) - _MOST_CAUSES} more: unknot report")
    explained = {claim for cause in found for claim in cause.claims}
    every: Claims = (*dependencies.needs, *dependencies.conflicts)
    unexplained = [claim for claim in every if claim not in explained]
    if unexplained:
        lines.line()
        lines.line(f"{'Other dependencies' if found else 'Dependencies'}, without recorded state:", "bold")
        _add_tests(lines, dependencies, ids, unexplained, most=_MOST_WITHOUT_CAUSE)


def first_to_fix(dependencies: Dependencies) -> str:
    """A sentence on the cause of most dependencies, if it is behind several."""
    first = next(iter(causes(dependencies)), None)
    if first is None or first.dependencies < 2:
        return ""
    return f"Fix `{first.location.name}` first: {first.dependencies:,} dependencies end with it."


def _place(cause: Cause) -> str:
    """The state, and the line of the user's code that writes it, if that is always the same."""
    location = cause.location
    reasons = [reason for claim in cause.claims for reason in claim.why if _is_about(location, reason.location)]
    frames = {users_frame(reason.written) for reason in reasons}
    (frame,) = frames if len(frames) == 1 else (None,)
    return f"`{location.name}`" + (f", {frame.file}:{frame.line}" if frame else "")


def _is_about(location: Location, other: Location) -> bool:
    return other.kind == location.kind and other.name.startswith(location.name)


def _add_tests(
    lines: Lines, dependencies: Dependencies, ids: ShortIds, claims: Claims, through: str = "", most: int = _MOST_TESTS
) -> None:
    place = dependencies.suite.index
    in_order = sorted(claims, key=lambda claim: place[dependent(claim)])
    tests = [
        (test, relation)
        for test, group in groupby(in_order, key=dependent)
        for relation in group_relations(tuple(relation_of(dependencies, claim) for claim in group))
    ]
    # One more than allowed is shown: a line that says "and 1 more" saves nothing.
    most = most if len(tests) > most + 1 else len(tests)
    for test, relation in tests[:most]:
        lines.text.append("  ")
        lines.hanging(f"{ids.short(test)} {_words(ids, test, relation)}{through}", 4)
    if most < len(tests):
        lines.line(f"  and {len(tests) - most} more: unknot report")


def _words(ids: ShortIds, test: TestId, relation: Relation) -> str:
    words = f"{relation.relation} {_listed(ids, test, relation.tests)}"
    if relation.cleaners:
        words += f"; {relation.cleaning} {_listed(ids, test, relation.cleaners)}"
    return words


def _listed(ids: ShortIds, test: TestId, others: Iterable[TestId]) -> str:
    names = [ids.beside(test, other) for other in others]
    if len(names) <= _MOST_PARTNERS + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_MOST_PARTNERS])} and {len(names) - _MOST_PARTNERS} more"
