"""`test`, `describe`, `it`, hooks: what test files call to declare their tests, in the dialects of Playwright, mocha,
Cypress and those like them."""

from collections.abc import Callable
from dataclasses import dataclass, field

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Machine
from unknot.web.readers.interpreter.objects import entered

TESTS = v.words("test it specify xit xtest fit")
GROUPS = v.words("describe context suite xdescribe fdescribe feature")
BEFORE = frozenset(["before", "beforeAll", "suiteSetup"])
BEFORE_EACH = frozenset(["beforeEach", "setup"])
AFTER = v.words("after afterAll afterEach teardown suiteTeardown")
_FIXTURES = "[fixtures]"
_KINDS = ("only", "skip", "fixme", "fail", "slow", "serial", "parallel", "concurrent", "todo")


@dataclass(eq=False)
class DescribeGroup:
    """A `describe`, or a file. `overrides` are the options of `test.use` there."""

    title: str
    before: list[v.Closure] = field(default_factory=list)
    before_each: list[v.Closure] = field(default_factory=list)
    after: list[v.Closure] = field(default_factory=list)
    overrides: dict[str, v.Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class JavaScriptTest:
    """`title` is None if it is known only when the file runs. `fixtures` are what `test.extend` has given."""

    file: str
    title: str | None
    line: int
    body: v.Closure
    groups: tuple[DescribeGroup, ...]
    fixtures: dict[str, v.Value]
    row: tuple[v.Value, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        return (*(group.title for group in self.groups if group.title), self.title or "…")


class SuiteDeclarations:
    """Collects what test files declare while they are run for that. `file` is the one at work, `groups` the describes
    around the place at work, the outermost first."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.file = ""
        self.groups: list[DescribeGroup] = []
        self.tests: list[JavaScriptTest] = []

    def api(self, name: str, fixtures: dict[str, v.Value] | None = None) -> v.LibraryValue | None:
        """The function that test files know by this name."""
        given = fixtures or {}
        if name in TESTS:
            return self._test(given)
        if name in GROUPS:
            return self._with_kinds(name, self._describe)
        if name == "mergeTests":
            return v.LibraryValue(name, self.merged)
        hook = self._hook(name)
        return v.LibraryValue(name, hook) if hook is not None else None

    def _test(self, fixtures: dict[str, v.Value]) -> v.LibraryValue:
        made = self._with_kinds("test", lambda arguments: self._declare(arguments, fixtures))
        for name in ("describe", *BEFORE, *BEFORE_EACH, *AFTER):
            made.members[name] = self.api(name) or v.UNKNOWN
        made.members[_FIXTURES] = v.Entries(fixtures)
        made.members["extend"] = v.LibraryValue("extend", lambda given: self._test({**fixtures, **_entries(given)}))
        made.members["use"] = v.LibraryValue("use", self._use)
        made.members["step"] = v.LibraryValue("step", self._step)
        made.members["each"] = v.LibraryValue("each", lambda rows: self._each(rows, fixtures))
        return made

    def _with_kinds(self, name: str, act: Callable[[list[v.Value]], v.Value]) -> v.LibraryValue:
        made = v.LibraryValue(name, act)
        for kind in _KINDS:
            focus: dict[str, v.Value] = {"only": v.LibraryValue(name, act), "skip": v.LibraryValue(name, act)}
            made.members[kind] = v.LibraryValue(name, act, focus)
        return made

    def _declare(
        self, arguments: list[v.Value], fixtures: dict[str, v.Value], row: tuple[v.Value, ...] = ()
    ) -> v.Value:
        body = next(v.functions_in(reversed(arguments)), None)
        title = arguments[0] if arguments else v.UNKNOWN
        if body is not None and self.file and len(arguments) > 1 and self._machine.postpones:
            text = title.text if isinstance(title, v.Text) else None
            groups = tuple(self.groups)
            self.tests.append(JavaScriptTest(self.file, text, body.code.line, body, groups, fixtures, row))
        return v.UNKNOWN

    def _describe(self, arguments: list[v.Value]) -> v.Value:
        body = next(v.functions_in(arguments), None)
        if body is None:
            return v.UNKNOWN
        title = arguments[0]
        self.groups.append(DescribeGroup(title.text if isinstance(title, v.Text) else ""))
        try:
            entered(self._machine, body, body.this, [])
        finally:
            self.groups.pop()
        return v.UNKNOWN

    def _hook(self, name: str) -> Callable[[list[v.Value]], v.Value] | None:
        kinds = ((BEFORE, "before"), (BEFORE_EACH, "before_each"), (AFTER, "after"))
        kind = next((kind for names, kind in kinds if name in names), None)
        if kind is None:
            return None

        def declared(arguments: list[v.Value]) -> v.Value:
            if self.groups:
                getattr(self.groups[-1], kind).extend(v.functions_in(arguments))
            return v.UNKNOWN

        return declared

    def merged(self, tests: list[v.Value]) -> v.Value:
        """`mergeTests(one, other)`: a test with the fixtures of all of them."""
        fixtures: dict[str, v.Value] = {}
        for test in tests:
            given = test.members.get(_FIXTURES) if isinstance(test, v.LibraryValue) else None
            fixtures.update(given.entries if isinstance(given, v.Entries) else {})
        return self._test(fixtures)

    def _use(self, arguments: list[v.Value]) -> v.Value:
        if self.groups:
            self.groups[-1].overrides.update(_entries(arguments))
        return v.UNKNOWN

    def _step(self, arguments: list[v.Value]) -> v.Value:
        return v.either([entered(self._machine, one, one.this, []) for one in v.functions_in(arguments)])

    def _each(self, rows: list[v.Value], fixtures: dict[str, v.Value]) -> v.Value:
        """`test.each([…])('adds %s', (a, b) => …)`: one test for each row."""
        known = v.items(rows[0]) if rows else []

        def declared(arguments: list[v.Value]) -> v.Value:
            for row in known[:100]:
                values = tuple(v.items(row)) or (row,)
                title = arguments[0] if arguments else v.UNKNOWN
                named = v.Text(_filled(title.text, values)) if isinstance(title, v.Text) else v.UNKNOWN
                self._declare([named, *arguments[1:]], fixtures, values)
            return v.UNKNOWN

        return v.LibraryValue("each", declared)


def _entries(arguments: list[v.Value]) -> dict[str, v.Value]:
    """Of an object that is the first argument."""
    return arguments[0].entries if arguments and isinstance(arguments[0], v.Entries) else {}


def _filled(title: str, values: tuple[v.Value, ...]) -> str:
    for value in values:
        start = title.find("%s")
        if start >= 0 and isinstance(value, v.Text):
            title = title[:start] + value.text + title[start + 2 :]
        elif isinstance(value, v.Entries):
            for name, entry in value.entries.items():
                title = title.replace(f"${name}", entry.text) if isinstance(entry, v.Text) else title
    return title
