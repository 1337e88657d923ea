"""Changes of test files that may remove a dependency, the most promising first. A trial shows whether one does."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.fix.access_path import LiteralValue, ProjectModules, first_value, parse_access_path, simple_value
from unknot.fix.fixture_builder import FixtureBuilder, Recipe, RecipeMaker
from unknot.fix.names import Names
from unknot.fix.recipes import Calls, clean_recipes, provide_recipes, restore_recipes
from unknot.fix.source_file import DefinedTest, SourceFile
from unknot.fix.write_fixtures import with_fixtures
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.reason import Reason
from unknot.model.recording import Recording
from unknot.model.suite import Order, TestId

_MOST_REASONS = 3


@dataclass(frozen=True)
class FixProject:
    """`homes` are the files of the tests, relative to the project's root; `read` returns a file's bytes, or None."""

    root: str
    homes: Mapping[TestId, str]
    modules: ProjectModules
    read: Callable[[str], bytes | None]

    def test_file(self, test: TestId) -> SourceFile | None:
        return self._parsed(self.homes.get(test, ""))

    def first_value(self, location_name: str) -> LiteralValue:
        """The value that the project's own code assigns to a location, if it is a literal."""
        path = parse_access_path(location_name, self.modules)
        file = self._parsed(self.modules.file_of(path.module)) if path is not None else None
        return first_value(path, file.tree) if path is not None and file is not None else None

    def _parsed(self, path: str) -> SourceFile | None:
        content = self.read(path) if path else None
        try:
            return SourceFile(path, content) if content is not None else None
        except ValueError:
            return None


@dataclass(frozen=True)
class Suggestion:
    """The new content of one file. `summary` says what the change does."""

    path: str
    before: bytes
    after: bytes
    summary: str


def for_need(
    need: Need, reasons: Sequence[Reason], dependencies: Dependencies, project: FixProject
) -> Iterator[Suggestion]:
    """A fixture for the dependent that creates what it needs, as one of the alternatives leaves it."""
    ways: list[list[_Way]] = []

    def simplicity(reason: Reason) -> tuple[object, ...]:
        """Of several alternatives, one without needs of its own in the same file is easiest to replace."""
        is_elsewhere = project.homes.get(reason.writer) != project.homes.get(need.dependent)
        return not reason.sure, len(dependencies.closure(reason.writer)), is_elsewhere

    for reason in sorted(reasons, key=simplicity)[:_MOST_REASONS]:
        calls = _calling(dependencies.closure(reason.writer), project)
        found = provide_recipes(reason.location, reason.shown, calls, project.modules)
        ways.append([_Way(need.dependent, (way,)) for way in found])
    yield from _suggested(_in_turn(ways), project)


def for_conflict(
    conflict: Conflict, reasons: Sequence[Reason], recording: Recording, project: FixProject
) -> Iterator[Suggestion]:
    """A fixture for the polluter that restores what it changes; or, if other tests need that change, one for the victim
    that starts with the initial content."""
    ways: list[list[_Way]] = []
    chosen = reasons[:_MOST_REASONS]
    for reason in chosen:
        found = restore_recipes(reason.location, reason.shown, project.modules)
        ways.append([_Way(reason.writer, (way,)) for way in found])
    if (everything := _all_of_one(ways)) is not None:
        ways.append([everything])
    for reason in chosen:
        initial = _original(reason, recording) or project.first_value(reason.location.name)
        clean = clean_recipes(reason.location, reason.shown, initial, project.modules)
        ways.append([_Way(conflict.victim, (way,)) for way in clean])
    ways.append([_Way(conflict.victim, (_cleaning(cleaner, project),)) for cleaner in conflict.cleaners[:1]])
    yield from _suggested(_in_turn(ways), project)


@dataclass(frozen=True)
class _Way:
    """Recipes for fixtures of one test."""

    test: TestId
    makers: tuple[RecipeMaker, ...]


def _suggested(ways: Iterable[_Way], project: FixProject) -> Iterator[Suggestion]:
    seen: set[bytes] = set()
    for way in ways:
        suggestion = _suggestion(way, project)
        if suggestion is not None and suggestion.after not in seen:
            seen.add(suggestion.after)
            yield suggestion


def _suggestion(way: _Way, project: FixProject) -> Suggestion | None:
    """None if no change results: the test's definition is not found, or no test can be called."""
    file = project.test_file(way.test)
    test = file.find(way.test) if file is not None else None
    if file is None or test is None:
        return None
    own = frozenset(_ends(project.modules.name_of(file.path), file.path))
    builder = FixtureBuilder(Names(file.tree, own), file.path, project.root)
    try:
        recipes = [build(builder) for build in way.makers]
        after = with_fixtures(file, test, recipes, builder.names, lambda name: bool(project.modules.file_of(name)))
    except ValueError:
        return None
    return Suggestion(file.path, file.content, after, _summary(recipes))


def _summary(recipes: Sequence[Recipe]) -> str:
    return " and ".join(dict.fromkeys(recipe.summary for recipe in recipes))


def _ends(name: str, path: str) -> Iterator[str]:
    """The possible names of the file's own module: every suffix of its path."""
    yield name
    parts = path.removesuffix(".py").split("/")
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def _in_turn(ways: Sequence[Sequence[_Way]]) -> Iterator[_Way]:
    """The first of each, then the second of each: the best change for every location before the second best for one."""
    for number in range(max(map(len, ways), default=0)):
        yield from (found[number] for found in ways if number < len(found))


def _all_of_one(ways: Sequence[Sequence[_Way]]) -> _Way | None:
    """All locations of the first polluter restored at once: one alone may not be enough."""
    firsts = [found[0] for found in ways if found]
    same = [way for way in firsts if way.test == firsts[0].test]
    return _Way(same[0].test, tuple(way.makers[0] for way in same)) if len(same) > 1 else None


def _calling(tests: Order, project: FixProject) -> Calls:
    return lambda builder: calls_of(tests, project.test_file, project.modules, builder.names)


def _cleaning(cleaner: TestId, project: FixProject) -> RecipeMaker:
    def build(builder: FixtureBuilder) -> Recipe:
        calls = _calling((cleaner,), project)(builder)
        if not calls:
            raise ValueError("the cleaner cannot be called as a plain function")
        name = builder.names.free("cleaned")
        return Recipe(name, "Cleans up what other tests have left.", calls, f"call {calls[-1]} before the test")

    return build


def _original(reason: Reason, recording: Recording) -> LiteralValue:
    """The content of the location before all tests, if a test was recorded to restore it."""
    account = recording.account_of.get(reason.location)
    writes = account.writes if account is not None else ()
    return next((simple_value(write.shown) for write in writes if write.restored), None)


_NEEDS_PYTEST = ("parametrize", "usefixtures", "skip", "skipif", "xfail")
_SET_UP = ("setup_method", "setup_class", "setup", "__init__")


def calls_of(
    tests: Iterable[TestId],
    file_of: Callable[[TestId], SourceFile | None],
    modules: ProjectModules,
    names: Names,
) -> tuple[str, ...]:
    """Statements that run these tests as plain functions; empty if one of them cannot be called: it requests fixtures,
    has parameters, is a coroutine, or its definition is not found.

    A test of another file is called through its module, which is imported where it is called: pytest would collect a
    test that is imported at the top of a file.
    """
    imports: dict[str, None] = {}
    found: list[str] = []
    for test in tests:
        file = file_of(test)
        definition = file.find(test) if file is not None and "[" not in test else None
        call = _call(definition) if definition is not None else ""
        if file is None or not call:
            return ()
        module = modules.name_of(file.path)
        if not names.is_own(module):
            imports[f"import {module}"] = None
            call = f"{module}.{call}"
        found.append(call)
    return (*imports, *found)


def _call(found: DefinedTest) -> str:
    function = found.function
    if not isinstance(function, ast.FunctionDef) or any(map(_needs_pytest, function.decorator_list)):
        return ""
    arguments = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if not found.classes:
        return "" if arguments or function.args.kwonlyargs else f"{function.name}()"
    if len(found.classes) > 1 or arguments != ["self"] or function.args.kwonlyargs:
        return ""
    (cls,) = found.classes
    if _is_test_case(cls):
        return f'{cls.name}("{function.name}").debug()'
    is_bare = not cls.bases and not any(map(_needs_pytest, cls.decorator_list)) and not _has_set_up(cls)
    return f"{cls.name}().{function.name}()" if is_bare else ""


def _is_test_case(cls: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in cls.bases)


def _has_set_up(cls: ast.ClassDef) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name in _SET_UP for node in cls.body)


def _needs_pytest(decorator: ast.expr) -> bool:
    return any(word in ast.unparse(decorator) for word in _NEEDS_PYTEST)
