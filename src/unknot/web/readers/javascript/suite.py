"""What the tests of a JavaScript or TypeScript suite submit and mention, and which tests its source declares.

| id | of |
|---|---|
| `tests/cart.spec.ts › cart › adds item` | unknot, Playwright's list; also `[chromium] › …`, `cart.spec.ts:12:5 ›
…` |
| `cart.spec.ts.cart › adds item` | `{classname}.{name}` of Playwright's JUnit report |
| `cart adds item` | mocha and Cypress: titles joined by blanks |
| `adds item.cart adds item`, `cart.adds item`, `cart > adds item` | other reporters |
| `adds item` | the title alone, if no other test has it |

Separators, blanks and the browser's name make no difference. A test whose title is only known when the file runs is
meant by every id of its file that means no other.
"""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import RecordPattern
from unknot.web.readers.interpreter.machine import Machine, with_deep_stack
from unknot.web.readers.interpreter.objects import entered
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.javascript.declaring_functions import DescribeGroup, JavaScriptTest
from unknot.web.readers.javascript.language import JavaScriptLanguage

_DECLARES = re.compile(r"\b(?:test|it|specify)\b[\w.]{0,100}\s*(?:\(|<)")
_SUPPORTS = re.compile(r"\bCypress\s*\.\s*Commands\b|(?:^|/)support/(?:e2e|index|commands)\.[jt]s$")


def declared_tests(files: Sequence[str], read: Callable[[str], str | None]) -> tuple[TestId, ...]:
    """Files in the sequence given, tests in source order, ids as `tests/cart.spec.ts › cart › adds item`. Tests that a
    loop over known values makes are there one by one; a title that is not known is `…`."""
    tests = with_deep_stack(lambda: _declared(JavaScriptLanguage(files, read)))
    return tuple(dict.fromkeys(TestId(SEPARATOR.join((test.file, *test.titles))) for test in tests))


def string_uses(
    tests: Sequence[TestId], files: Sequence[str], read: Callable[[str], str | None]
) -> dict[TestId, StringUse]:
    """The texts of each test, through everything of the project that it calls. Ids as above. `read` also
    gives JSON files that tests import and `tsconfig.json`, which need not be among `files`. A test that is not
    found, code that does not parse and modules that are missing are gaps of the tests that they concern."""
    return with_deep_stack(lambda: _string_uses(tests, JavaScriptLanguage(files, read)))


def _string_uses(tests: Sequence[TestId], language: JavaScriptLanguage) -> dict[TestId, StringUse]:
    found = JavaScriptTestIndex(_declared(language))
    return {test: _use(language, test, found.meant_by(test)) for test in tests}


def _declared(language: JavaScriptLanguage) -> list[JavaScriptTest]:
    """Runs the test files for what they declare, after the files that support all of them."""
    modules, declarations = language.modules, language.declarations
    everywhere = DescribeGroup("")
    supporting = [path for path in modules.paths if _SUPPORTS.search(path) or _SUPPORTS.search(modules.source(path))]
    declarations.groups = [everywhere]
    for path in supporting:
        language.machine.follow(partial(modules.loaded, language.machine, path), StringTrace())
    for path in modules.paths:
        if path in supporting or not _DECLARES.search(modules.source(path)):
            continue
        declarations.file, declarations.groups = path, [everywhere, DescribeGroup("")]
        language.machine.follow(partial(modules.loaded, language.machine, path), StringTrace())
    declarations.file = ""
    return declarations.tests


def _use(language: JavaScriptLanguage, test: TestId, meant: Sequence[JavaScriptTest]) -> StringUse:
    trace = StringTrace()
    if not meant:
        trace.add_gap(f"no test {test} is found in the source")
    for one in meant:
        module = language.modules.module(one.file)
        for line in module.code.broken[:1] if module is not None else ():
            trace.add_gap(f"{one.file}:{line} does not parse")
        with language.machine.changes.undone():
            language.machine.follow(partial(_followed, language, one), trace)
    return trace.as_use


def _followed(language: JavaScriptLanguage, test: JavaScriptTest) -> None:
    """As its runner would call it: fixtures, the hooks of the file and of each describe around it, the test."""
    given = dict(test.fixtures)
    for group in test.groups:
        given.update(group.overrides)
    fixtures = PlaywrightFixtures(language.machine, given)
    language.cypress.aliases.clear()
    this = v.Entries(language.cypress.aliases)
    fixtures.automatic()
    for hook in (hook for group in test.groups for hook in (*group.before, *group.before_each)):
        _called(language, hook, this, fixtures)
    _called(language, test.body, this, fixtures, test.row)
    for hook in (hook for group in reversed(test.groups) for hook in group.after):
        _called(language, hook, this, fixtures)


def _called(
    language: JavaScriptLanguage,
    function: v.Closure,
    this: v.Value,
    fixtures: "PlaywrightFixtures",
    row: tuple[v.Value, ...] = (),
) -> v.Value:
    given = fixtures.named_by(function)
    is_bound = function.code.is_arrow
    return entered(language.machine, function, function.this if is_bound else this, row or (given,))


class PlaywrightFixtures:
    """Those of one test; each is set up once. One that names itself gets what it overrides, which is unknown."""

    def __init__(self, machine: Machine, given: Mapping[str, v.Value]) -> None:
        self._machine = machine
        self._given = given
        self._made: dict[str, v.Value] = {}
        self._making: set[str] = set()

    def named_by(self, function: v.Closure) -> v.Value:
        """The first argument of a test or a fixture: an object with what it names."""
        pattern = function.code.parameters[0] if function.code.parameters else None
        names = [name for name, _ in pattern.entries if name] if isinstance(pattern, RecordPattern) else []
        return v.Entries({name: self._one(name) for name in names})

    def automatic(self) -> None:
        """Sets up the automatic fixtures of every test."""
        for name, given in self._given.items():
            options = given.items[1] if isinstance(given, v.Items) and len(given.items) > 1 else v.UNKNOWN
            if isinstance(options, v.Entries) and options.entries.get("auto") == v.Text("true", None, is_text=False):
                self._one(name)

    def _one(self, name: str) -> v.Value:
        if name in self._made or name in self._making or name not in self._given:
            return self._made.get(name, v.UNKNOWN)
        self._making.add(name)
        given = self._given[name]
        if isinstance(given, v.LazyValue):
            given = self._machine.force(given)
        if isinstance(given, v.Items):
            given = given.items[0] if given.items else v.UNKNOWN
        if isinstance(given, v.Closure):
            given = self._set_up(given)
        self._making.discard(name)
        self._made[name] = given
        return given

    def _set_up(self, function: v.Closure) -> v.Value:
        """What the fixture hands to `use`. What comes after that tears down, and is followed, too."""
        used: list[v.Value] = []

        def use(arguments: list[v.Value]) -> v.Value:
            used.extend(arguments[:1])
            return v.UNKNOWN

        given = self.named_by(function)
        entered(self._machine, function, v.UNKNOWN, [given, v.LibraryValue("use", use)])
        return used[0] if used else v.UNKNOWN


SEPARATOR = " › "
_BEFORE = re.compile(r"^\s*\[[^\]]*\]\s*(?:›|>)?\s*")
_PLACE = re.compile(r"(\.[cm]?[jt]sx?):\d+(?::\d+)?")
_BETWEEN = re.compile(r"\s*(?:›|»|→|::|\s>\s)\s*|\s+")


class JavaScriptTestIndex:
    """The declared tests, to be found by id in any of the forms above."""

    def __init__(self, tests: Sequence[JavaScriptTest]) -> None:
        self._by_key: dict[str, list[JavaScriptTest]] = {}
        self._untitled: dict[str, list[JavaScriptTest]] = {}
        for test in tests:
            if test.title is None:
                self._untitled.setdefault(test.file, []).append(test)
                continue
            for key in _keys(test):
                self._by_key.setdefault(key, []).append(test)

    def meant_by(self, test: str) -> list[JavaScriptTest]:
        """Empty if there is none, or if several may be meant."""
        key = _plain(test)
        known = self._by_key.get(key, [])
        if known:
            return known if len({(one.file, one.titles) for one in known}) == 1 else []
        for file, untitled in self._untitled.items():
            if key.startswith((_plain(file), posixpath.basename(file))):
                return untitled
        every = [one for untitled in self._untitled.values() for one in untitled]
        return every if len({one.file for one in every}) == 1 else []


def _keys(test: JavaScriptTest) -> set[str]:
    titles = " ".join(test.titles)
    dotted = ".".join(test.titles)
    files = (test.file, posixpath.basename(test.file), posixpath.join(*test.file.split("/")[-2:]))
    keys = {
        titles,
        dotted,
        test.titles[-1],
        f"{test.titles[-1]}.{titles}",
        f"{' '.join(test.titles[:-1])}.{test.titles[-1]}",
    }
    keys |= {f"{file}{joint}{titles}" for file in files for joint in (" ", ".")}
    return {_plain(one) for one in keys}


def _plain(test: str) -> str:
    return _BETWEEN.sub(" ", _PLACE.sub(r"\1", _BEFORE.sub("", test))).strip()
