"""The nodes and lines of a dependency graph, shared by DOT and Mermaid."""

from collections.abc import Iterator
from dataclasses import dataclass

from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.suite import TestId
from unknot.report.roles import Roles

NEEDS, BREAKS, CLEANS = "needs", "breaks", "cleans"


@dataclass(frozen=True)
class Node:
    """`name` is safe in any graph language, unlike an id. `kind` is the test's kind as a dependent, or empty; `words`
    are all its roles."""

    name: str
    test: TestId
    kind: str
    words: str
    is_flaky: bool


@dataclass(frozen=True)
class Junction:
    """A point where the lines of one claim meet: any one of several is enough, or several act together."""

    name: str
    relation: str


@dataclass(frozen=True)
class Line:
    """From a dependent to its prerequisite, or from a polluter or cleaner to the victim. Of a line through a junction,
    only the last part has an arrowhead."""

    start: str
    end: str
    relation: str
    label: str = ""
    has_head: bool = True


Element = Node | Junction | Line


def graph_elements(dependencies: Dependencies) -> Iterator[Element]:
    """The tests that are in a claim or flaky, then the lines of each claim. Deterministic; a junction comes before its
    lines. Cost: linear in the claims."""
    roles = Roles(dependencies)
    flaky = set(dependencies.flaky)
    place = dependencies.suite.index
    for test in sorted({*roles.participants, *flaky}, key=place.__getitem__):
        kind = roles.kind(test)
        words = [kind] if kind else roles.among(test, "setter", "polluter", "cleaner")
        words += roles.among(test, "flaky")
        yield Node(node_name(dependencies, test), test, kind, ", ".join(words), test in flaky)
    for number, need in enumerate(dependencies.needs):
        yield from _need(dependencies, number, need)
    for number, conflict in enumerate(dependencies.conflicts):
        yield from _conflict(dependencies, number, conflict)
    for cleaner, victims in sorted(roles.cleans.items(), key=lambda item: place[item[0]]):
        for victim in victims:
            yield Line(node_name(dependencies, cleaner), node_name(dependencies, victim), CLEANS, "cleans")


def _need(dependencies: Dependencies, number: int, need: Need) -> Iterator[Element]:
    dependent = node_name(dependencies, need.dependent)
    more = "" if need.complete else ", or others"
    if len(need.any_of) == 1:
        yield Line(dependent, node_name(dependencies, need.any_of[0]), NEEDS, f"needs{more}")
        return
    junction = f"any{number}"
    yield Junction(junction, NEEDS)
    yield Line(dependent, junction, NEEDS, f"needs any of{more}", has_head=False)
    for option in need.any_of:
        yield Line(junction, node_name(dependencies, option), NEEDS)


def _conflict(dependencies: Dependencies, number: int, conflict: Conflict) -> Iterator[Element]:
    victim = node_name(dependencies, conflict.victim)
    if len(conflict.polluters) == 1:
        yield Line(node_name(dependencies, conflict.polluters[0]), victim, BREAKS, "breaks")
        return
    junction = f"all{number}"
    yield Junction(junction, BREAKS)
    for polluter in conflict.polluters:
        yield Line(node_name(dependencies, polluter), junction, BREAKS, has_head=False)
    yield Line(junction, victim, BREAKS, "break together")


def node_name(dependencies: Dependencies, test: TestId) -> str:
    return f"t{dependencies.suite.index[test]}"
