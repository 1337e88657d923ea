"""Changes of test files that may cut an edge, the best guess first. Whether one does is for a trial to say."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.fix.calls import calls_of
from unknot.fix.clean_start import Value, clean_start
from unknot.fix.making import Calls, making
from unknot.fix.modules import Modules
from unknot.fix.names import Names
from unknot.fix.recipe import Recipe
from unknot.fix.restoring import restoring
from unknot.fix.road import read_road, simple_value
from unknot.fix.source_file import SourceFile
from unknot.fix.workbench import Builder, Workbench
from unknot.fix.writing import written
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.recording import Recording
from unknot.model.suite import Order, TestId
from unknot.recorder.sentences import Reason

_MOST_REASONS = 3


@dataclass(frozen=True)
class Project:
    """`homes` are the files of the tests, from the project's root; `read` gives a file's bytes, or None."""

    root: str
    homes: Mapping[TestId, str]
    modules: Modules
    read: Callable[[str], bytes | None]

    def test_file(self, test: TestId) -> SourceFile | None:
        return self._parsed(self.homes.get(test, ""))

    def source(self, location_name: str) -> ast.Module | None:
        """The code of the module that a location is in."""
        road = read_road(location_name, self.modules)
        file = self._parsed(self.modules.file_of(road.module)) if road is not None else None
        return file.tree if file is not None else None

    def _parsed(self, path: str) -> SourceFile | None:
        content = self.read(path) if path else None
        try:
            return SourceFile(path, content) if content is not None else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Suggestion:
    """One file's new content. `told` says in words what it does."""

    path: str
    before: bytes
    after: bytes
    told: str


def for_need(
    need: Need, reasons: Sequence[Reason], dependencies: Dependencies, project: Project
) -> Iterator[Suggestion]:
    """A fixture for the dependent that makes what it needs, as one of the alternatives leaves it."""
    ways: list[list[_Way]] = []

    def simplicity(reason: Reason) -> tuple[object, ...]:
        """Of several alternatives, one that needs no others and stands in the same file is easiest to stand in for."""
        is_elsewhere = project.homes.get(reason.writer) != project.homes.get(need.dependent)
        return not reason.sure, len(dependencies.closure(reason.writer)), is_elsewhere

    for reason in sorted(reasons, key=simplicity)[:_MOST_REASONS]:
        calls = _calling(dependencies.closure(reason.writer), project)
        found = making(reason.location, reason.shown, calls, project.modules)
        ways.append([_Way(need.dependent, (way,)) for way in found])
    yield from _suggested(_in_turn(ways), project)


def for_conflict(
    conflict: Conflict, reasons: Sequence[Reason], recording: Recording, project: Project
) -> Iterator[Suggestion]:
    """A fixture for the polluter that puts back what it leaves; or, where others need that, one for the victim that
    begins with the clean content."""
    ways: list[list[_Way]] = []
    chosen = reasons[:_MOST_REASONS]
    for reason in chosen:
        found = restoring(reason.location, reason.shown, project.modules)
        ways.append([_Way(reason.writer, (way,)) for way in found])
    if (everything := _all_of_one(ways)) is not None:
        ways.append([everything])
    for reason in chosen:
        clean = clean_start(
            reason.location,
            reason.shown,
            _original(reason, recording),
            project.source(reason.location.name),
            project.modules,
        )
        ways.append([_Way(conflict.victim, (way,)) for way in clean])
    if cleaning := [_cleaning(cleaner, project) for cleaner in conflict.cleaners[:1]]:
        ways.append([_Way(conflict.victim, (way,)) for way in cleaning])
    yield from _suggested(_in_turn(ways), project)


@dataclass(frozen=True)
class _Way:
    """Recipes for fixtures of one test."""

    test: TestId
    builders: tuple[Builder, ...]


def _suggested(ways: Iterable[_Way], project: Project) -> Iterator[Suggestion]:
    seen: set[bytes] = set()
    for way in ways:
        suggestion = _suggestion(way, project)
        if suggestion is not None and suggestion.after not in seen:
            seen.add(suggestion.after)
            yield suggestion


def _suggestion(way: _Way, project: Project) -> Suggestion | None:
    """None where a way leads nowhere: the test's definition is not found, or there is nothing to call."""
    file = project.test_file(way.test)
    test = file.find(way.test) if file is not None else None
    if file is None or test is None:
        return None
    own = frozenset(_ends(project.modules.name_of(file.path), file.path))
    bench = Workbench(Names(file.tree, own), file.path, project.root)
    try:
        recipes = [build(bench) for build in way.builders]
        after = written(file, test, recipes, bench.names, lambda name: bool(project.modules.file_of(name)))
    except ValueError:
        return None
    return Suggestion(file.path, file.content, after, _told(recipes))


def _told(recipes: Sequence[Recipe]) -> str:
    return " and ".join(dict.fromkeys(recipe.told for recipe in recipes))


def _ends(name: str, path: str) -> Iterator[str]:
    """The names by which the file's own module may be known: every end of its path."""
    yield name
    parts = path.removesuffix(".py").split("/")
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def _in_turn(ways: Sequence[Sequence[_Way]]) -> Iterator[_Way]:
    """The first of each, then the second of each: the best guesses about every location before the worse about one."""
    for number in range(max(map(len, ways), default=0)):
        yield from (found[number] for found in ways if number < len(found))


def _all_of_one(ways: Sequence[Sequence[_Way]]) -> _Way | None:
    """Everything that the first polluter leaves, restored at once: one location alone may not be the whole story."""
    firsts = [found[0] for found in ways if found]
    same = [way for way in firsts if way.test == firsts[0].test]
    return _Way(same[0].test, tuple(way.builders[0] for way in same)) if len(same) > 1 else None


def _calling(tests: Order, project: Project) -> Calls:
    return lambda bench: calls_of(tests, project.test_file, project.modules, bench.names)


def _cleaning(cleaner: TestId, project: Project) -> Builder:
    def build(bench: Workbench) -> Recipe:
        calls = _calling((cleaner,), project)(bench)
        if not calls:
            raise ValueError("the cleaner cannot be called as a plain function")
        name = bench.names.free("cleaned")
        return Recipe(name, "Cleans up what other tests have left.", calls, (), f"calling {calls[-1]} before the test")

    return build


def _original(reason: Reason, recording: Recording) -> Value:
    """What the location held before all tests, if somebody was seen to put it back."""
    account = recording.account_of.get(reason.location)
    writes = account.writes if account is not None else ()
    return next((simple_value(write.shown) for write in writes if write.restored), None)
