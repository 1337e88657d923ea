"""The views of the graph: all tests; the same collapsed by file and by cause, so that thousands of tests are a few
dozen boxes; and one view for each of these boxes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from unknot.model.cause import Cause
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Order, TestId
from unknot.report.html.claims import Claims
from unknot.report.html.folders import Path, folders_of, path_of, within
from unknot.report.html.labels import group_label, test_label
from unknot.report.html.layers import Vertex
from unknot.report.html.layout import GraphLayout, graph_layout
from unknot.report.roles import Roles
from unknot.report.wording import counted

_MOST_TESTS = 80
"""A cause with more tests is shown collapsed by file."""
_MOST_VIEWS = 400


@dataclass(frozen=True)
class Group:
    """A box that stands for several tests. `view` is the number of the view that shows them, if one does."""

    name: str
    tests: Order
    view: int | None = None


@dataclass(frozen=True)
class GraphView:
    """`kind` is `tests`, `files` or `causes`; `parent` is the number of the view around it. `claims` are drawn between
    tests; `lines` between boxes of which one or both are groups: from, to, how many needs, how many conflicts."""

    title: str
    kind: str
    parent: int | None
    layout: GraphLayout
    groups: Mapping[Vertex, Group]
    claims: tuple[int, ...]
    lines: tuple[tuple[Vertex, Vertex, int, int], ...]


def graph_views(dependencies: Dependencies, claims: Claims, causes: Sequence[Cause]) -> list[GraphView]:
    """The first shows all tests. If they are in several files or have several causes, the next ones show these as
    boxes, and then what is in the boxes. A folder is shown without the others. Beside the tests of a file, those of
    others that they are linked to are collapsed as far as possible. Of a cause, only its claims are drawn. Cost: that
    of `graph_layout` for each view."""
    drawn = {*Roles(dependencies).participants, *dependencies.flaky}
    tests = tuple(test for test in dependencies.suite.tests if test in drawn)
    views = [_view("All tests", "tests", None, {test: test for test in tests}, claims, {}, drawn)]
    folders = _Folders(tests, claims, len(views))
    views += folders.views()
    named = sorted({claim.cause for claim in claims.values() if claim.cause is not None})
    if len(named) > 1:
        views += _cause_views(tests, claims, [(number, causes[number]) for number in named], folders, len(views))
    return views


class _Folders:
    """The folders and files with tests, which view each of them has, and which box shows a test in it."""

    def __init__(self, tests: Order, claims: Claims, first: int) -> None:
        self._tests, self._claims = tests, claims
        self._claims_of: dict[TestId, list[int]] = {}
        for number, claim in claims.items():
            for test in claim.tests:
                self._claims_of.setdefault(test, []).append(number)
        self._paths = {test: path_of(test) for test in tests}
        found = folders_of(self._paths.values())
        self._parents = found if len(found) > 1 else {}
        self._numbers = {path: first + at for at, path in enumerate(self._parents) if at < _MOST_VIEWS}

    @property
    def top(self) -> Path:
        return next(iter(self._parents), ())

    def views(self) -> list[GraphView]:
        return [self._of(path) for path in self._numbers]

    def boxes(self, tests: Order, path: Path) -> dict[TestId, Vertex]:
        """In the view of a path."""
        groups = ((test, self._group(test, path)) for test in tests)
        return {test: test if group is None else _group_id(group) for test, group in groups}

    def groups(self, tests: Order, path: Path) -> dict[Vertex, Group]:
        members: dict[Path, list[TestId]] = {}
        for test in tests:
            group = self._group(test, path)
            if group is not None:
                members.setdefault(group, []).append(test)
        return {
            _group_id(group): Group(self._name(group), tuple(inside), self._numbers.get(group))
            for group, inside in members.items()
        }

    def _name(self, path: Path) -> str:
        """Without the folders that all tests are in."""
        return "/".join(path[len(self.top) :])

    def _group(self, test: TestId, path: Path) -> Path | None:
        """The largest folder or file that has the test, and not all of the view."""
        whole = self._paths[test]
        lengths = range(1, len(whole) + 1)
        known = (whole[:length] for length in lengths if whole[:length] in self._parents)
        return next((group for group in known if not within(path, group)), None)

    def _of(self, path: Path) -> GraphView:
        inside = {test for test in self._tests if within(self._paths[test], path)}
        numbers = {number for test in inside for number in self._claims_of.get(test, ())}
        own = {number: self._claims[number] for number in sorted(numbers)}
        near = inside
        if path not in self._parents.values():
            near = inside.union(*(claim.tests for claim in own.values()))
        tests = tuple(test for test in self._tests if test in near)
        parent = self._parents[path]
        title = self._name(path) if parent is not None else "Files"
        around = None if parent is None else self._numbers[parent]
        return _view(title, "files", around, self.boxes(tests, path), own, self.groups(tests, path), inside)


def _cause_views(
    tests: Order, claims: Claims, causes: Sequence[tuple[int, Cause]], folders: _Folders, first: int
) -> list[GraphView]:
    """One with a box for each cause; then one for each cause."""
    groups: dict[Vertex, Group] = {}
    views: list[GraphView] = []
    top = folders.top
    for at, (number, cause) in enumerate(causes):
        own = {key: claim for key, claim in claims.items() if claim.cause == number}
        concerned = {test for claim in own.values() for test in claim.tests}
        ordered = tuple(test for test in tests if test in concerned)
        name, shown = cause.location.name, at < _MOST_VIEWS
        groups[_group_id((str(number),))] = Group(name, ordered, first + 1 + at if shown else None)
        if shown and len(ordered) <= _MOST_TESTS:
            views.append(_view(name, "causes", first, {test: test for test in ordered}, own, {}, concerned))
        elif shown:
            boxes, inside = folders.boxes(ordered, top), folders.groups(ordered, top)
            views.append(_view(name, "causes", first, boxes, own, inside, concerned))
    layout, lines = _chained(groups, claims)
    return [GraphView("Causes", "causes", None, layout, groups, (), lines), *views]


def _chained(
    groups: Mapping[Vertex, Group], claims: Claims
) -> tuple[GraphLayout, tuple[tuple[Vertex, Vertex, int, int], ...]]:
    """An arrow from one cause to another if tests that depend on the first one are needed, or break, for the second."""
    of_test: dict[TestId, set[Vertex]] = {}
    for claim in claims.values():
        if claim.cause is not None:
            of_test.setdefault(claim.test, set()).add(_group_id((str(claim.cause),)))
    counts: Counter[tuple[Vertex, Vertex, bool]] = Counter()
    for claim in claims.values():
        if claim.cause is not None:
            here = _group_id((str(claim.cause),))
            before = {box for test in claim.before for box in of_test.get(test, ()) if box != here}
            counts.update((box, here, claim.is_need) for box in before)
    lines = _lines(counts)
    return graph_layout(_labels(groups, groups), [line[:2] for line in lines]), lines


def _view(
    title: str,
    kind: str,
    parent: int | None,
    boxes: Mapping[TestId, Vertex],
    claims: Claims,
    groups: Mapping[Vertex, Group],
    inside: Set[TestId],
) -> GraphView:
    """`boxes`: the box of each test that is shown, its own, which has its name, or that of a group. Arrows are drawn
    between these, if one end is a test inside."""
    exact: list[int] = []
    arrows: dict[tuple[Vertex, Vertex], None] = {}
    counts: Counter[tuple[Vertex, Vertex, bool]] = Counter()
    for number, claim in claims.items():
        drawn = (arrow for arrow in claim.arrows if not inside.isdisjoint(arrow) and boxes.keys() >= set(arrow))
        ends = sorted({(boxes[first], boxes[second]) for first, second in drawn})
        if all(boxes.get(test) == test for test in claim.tests):
            exact.append(number)
        else:
            ends = [(first, second) for first, second in ends if first != second]
            counts.update((first, second, claim.is_need) for first, second in ends)
        arrows.update(dict.fromkeys(ends))
    layout = graph_layout(_labels(boxes.values(), groups), list(arrows))
    return GraphView(title, kind, parent, layout, groups, tuple(exact), _lines(counts))


def _labels(vertices: Iterable[Vertex], groups: Mapping[Vertex, Group]) -> dict[Vertex, str]:
    return {
        vertex: group_label(groups[vertex].name, counted(len(groups[vertex].tests), "test"))
        if vertex in groups
        else test_label(TestId(vertex))
        for vertex in dict.fromkeys(vertices)
    }


def _lines(counts: Counter[tuple[Vertex, Vertex, bool]]) -> tuple[tuple[Vertex, Vertex, int, int], ...]:
    ends = dict.fromkeys((first, second) for first, second, _ in counts)
    return tuple((first, second, counts[first, second, True], counts[first, second, False]) for first, second in ends)


def _group_id(path: Path) -> Vertex:
    """No test has such a name: ids have no null byte."""
    return "\0" + "/".join(path)
