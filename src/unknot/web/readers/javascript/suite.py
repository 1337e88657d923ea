"""What the tests of a JavaScript or TypeScript suite submit and mention, and which tests its source declares."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.javascript.fixtures import Fixtures
from unknot.web.readers.javascript.ids import Found, id_of
from unknot.web.readers.javascript.language import JavaScriptLanguage
from unknot.web.readers.javascript.test_api import DeclaredTest, Group
from unknot.web.readers.syntax.calling import entered
from unknot.web.readers.syntax.said import Said
from unknot.web.readers.syntax.values import UNKNOWN, Closure, Entries, Steps, Value

_DECLARES = re.compile(r"\b(?:test|it|specify)\b[\w.]{0,100}\s*(?:\(|<)")
_SUPPORTS = re.compile(r"\bCypress\s*\.\s*Commands\b|(?:^|/)support/(?:e2e|index|commands)\.[jt]s$")


def declared_tests(files: Sequence[str], read: Callable[[str], str | None]) -> tuple[TestId, ...]:
    """Files in the sequence given, tests in source order, ids as `tests/cart.spec.ts › cart › adds item`. Tests that a
    loop over known values makes are there one by one; a title that is not known is `…`."""
    language = JavaScriptLanguage(files, read)
    return tuple(dict.fromkeys(TestId(id_of(test)) for test in _declared(language)))


def string_uses(
    tests: Sequence[TestId], files: Sequence[str], read: Callable[[str], str | None]
) -> dict[TestId, StringUse]:
    """For each test what it says, through everything of the project that it calls. Ids as in `ids`. `read` is also
    asked for JSON files that tests import and for `tsconfig.json`, which need not be among `files`. A test that is not
    found, code that does not parse and modules that are missing are gaps of the tests that they concern."""
    language = JavaScriptLanguage(files, read)
    found = Found(_declared(language))
    return {test: _use(language, test, found.meant_by(test)) for test in tests}


def _declared(language: JavaScriptLanguage) -> list[DeclaredTest]:
    """Runs the test files for what they declare, after the files that support all of them."""
    modules, declarations = language.modules, language.declarations
    everywhere = Group("")
    supporting = [path for path in modules.paths if _SUPPORTS.search(path) or _SUPPORTS.search(modules.source(path))]
    declarations.groups = [everywhere]
    for path in supporting:
        language.machine.follow(partial(modules.loaded, language.machine, path), Said())
    for path in modules.paths:
        if path in supporting or not _DECLARES.search(modules.source(path)):
            continue
        declarations.file, declarations.groups = path, [everywhere, Group("")]
        language.machine.follow(partial(modules.loaded, language.machine, path), Said())
    declarations.file = ""
    return declarations.tests


def _use(language: JavaScriptLanguage, test: TestId, meant: Sequence[DeclaredTest]) -> StringUse:
    said = Said()
    if not meant:
        said.misses(f"no test {test} is found in the source")
    for one in meant:
        module = language.modules.module(one.file)
        for line in module.code.broken[:1] if module is not None else ():
            said.misses(f"{one.file}:{line} does not parse")
        language.machine.follow(partial(_followed, language, one), said)
    return said.as_use


def _followed(language: JavaScriptLanguage, test: DeclaredTest) -> Steps:
    """As its runner would call it: fixtures, the hooks of the file and of each describe around it, the test."""
    given = dict(test.fixtures)
    for group in test.groups:
        given.update(group.overrides)
    fixtures = Fixtures(language.machine, given)
    language.cypress.aliases.clear()
    this = Entries(language.cypress.aliases)
    yield fixtures.automatic()
    for hook in (hook for group in test.groups for hook in (*group.before, *group.before_each)):
        yield _called(language, hook, this, fixtures)
    yield _called(language, test.body, this, fixtures, test.row)
    for hook in (hook for group in reversed(test.groups) for hook in group.after):
        yield _called(language, hook, this, fixtures)
    return UNKNOWN


def _called(
    language: JavaScriptLanguage, function: Closure, this: Value, fixtures: Fixtures, row: tuple[Value, ...] = ()
) -> Steps:
    asked = yield fixtures.asked_by(function)
    is_bound = function.code.is_arrow
    return (yield entered(language.machine, function, function.this if is_bound else this, row or (asked,)))
