"""What cannot be read of a JavaScript suite is reported, with its place; whatever the input, nothing is raised."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import laws
from web.readers.other_suites.suite_files import kept, submitted, written

from unknot.model.errors import UsageError
from unknot.web.readers.interpreter import grammars, machine
from unknot.web.readers.javascript.suite import declared_tests, string_uses

TESTS = {name: declared_tests(*kept(f"claroline/{name}")) for name in ("playwright", "cypress")}


def uses(source: str, **others: str) -> list[tuple[set[str], tuple[str, ...]]]:
    files, read = written({"a.spec.ts": source, **{f"{name}.ts": text for name, text in others.items()}})
    found = string_uses(declared_tests(files, read), files, read)
    return [(submitted(use), use.gaps) for use in found.values()]


def test_a_test_that_does_not_parse_is_read_as_far_as_it_does() -> None:
    source = """\
test('one', async ({ page }) => {
  await page.fill('#', 'a');
  let = = 3;
  await page.fill('#', 'b');
});
test('two', async ({ page }) => { await page.fill('#', 'c'); });
"""
    (one, gaps), (two, others) = uses(source)

    assert {"a", "b"} <= one
    assert gaps == ("a.spec.ts:3 does not parse",)
    assert (two, others) == ({"c"}, ())


def test_a_module_of_the_project_that_is_missing_is_a_gap_of_the_tests_that_use_it() -> None:
    source = """\
import { Gone } from './gone';
import { faker } from '@faker-js/faker';
import './style.css';
test('one', async ({ page }) => { await new Gone(page).open(); });
test('two', async ({ page }) => { await page.fill('#', faker.name()); });
"""
    (_, gaps), (_, others) = uses(source)

    assert gaps == ("a.spec.ts:1 imports ./gone, which is not in the project",)
    assert others == ()


def test_a_method_that_no_class_has_is_a_gap() -> None:
    source = "import { Page } from './page';\ntest('one', async ({ page }) => {\n  await new Page(page).gone();\n});"

    ((_, gaps),) = uses(source, page="export class Page { open() {} }")

    assert gaps == ("a.spec.ts:3 calls gone of Page, which has no such method",)


@pytest.mark.parametrize(
    ("body", "gap"),
    [
        ("await new User(page).create('a')", "calls create of acme-pages.User"),
        (
            "const user = new User({ page }); await user.open(); await user.form.create('a')",
            "calls create of acme-pages.User",
        ),
        ("const lib = require('acme-pages'); await new lib.Home(page).create('a')", "calls create of acme-pages.Home"),
        ("await logIn(page, 'a')", "hands the browser to acme-pages"),
        ("await (await openAs(page)).create('a')", "calls create of acme-pages.openAs"),
    ],
)
def test_a_page_object_of_a_package_that_cannot_be_read_is_a_gap(body: str, gap: str) -> None:
    assert foreign_gaps(body) == (f"a.spec.ts:4 {gap}, whose code is not in the project",)


@pytest.mark.parametrize(
    "body",
    [
        "await new User(page).open(); new User('a'); logIn('a')",
        "await new User(page).expectTitle('a'); await User.screenshot(page, 'a')",
        "await new User(page).name.fill('a')",
        "await expect(page).toHaveTitle('a'); await expect(page.locator('h1'), 'a').toBeVisible()",
        "console.log(page, 'a'); assert.equal(page, 'a'); await percySnapshot(page, 'a')",
        "await new AxeBuilder({ page }).withTags(['a']).analyze()",
    ],
)
def test_ordinary_use_of_libraries_is_no_gap(body: str) -> None:
    assert foreign_gaps(body) == ()


def foreign_gaps(body: str) -> tuple[str, ...]:
    source = f"""\
import logIn, {{ User, openAs }} from 'acme-pages';
import {{ expect }} from '@playwright/test'; import assert from 'node:assert';
import AxeBuilder from '@axe-core/playwright'; import percySnapshot from '@percy/playwright';
test('one', async ({{ page }}) => {{ {body}; }});
"""
    ((_, gaps),) = uses(source)
    return gaps


def test_a_command_that_is_defined_nowhere_is_a_gap() -> None:
    source = """\
it('one', () => { cy.get('#x').logIn('a'); cy.lost('b'); });
it('two', () => { cy.get('#x').logIn('a').should('be.visible').and('contain', 'b'); cy.findByText('c').click(); });
"""
    commands = "Cypress.Commands.add('logIn', { prevSubject: true }, (x, name) => { cy.get('#name').type(name); });"

    assert uses(source, commands=commands) == [
        ({"a"}, ("a.spec.ts:1 calls lost of Cypress, which is no command that is found",)),
        ({"a"}, ()),
    ]


def test_numbers_of_rounds_that_are_typed_and_not_known_are_a_gap() -> None:
    source = """\
test('one', async ({ page }) => {
  for (let i = 0; i < (await page.rows()); i++) { await page.fill('#', `n${i}`); }
});
test('two', async ({ page }) => {
  for (let i = 0; i < (await page.rows()); i++) { await page.click(`n${i}`); await page.fill('#', 'a'); }
});
"""
    assert uses(source) == [
        (set(), ("a.spec.ts:2 types numbers of its rounds, and how many is not known",)),
        ({"a"}, ()),
    ]


def test_modules_that_import_each_other_end() -> None:
    source = "import { one } from './one';\ntest('it', async ({ page }) => { await one(page); });"
    one = "import { two } from './two'; export const one = (page) => two(page); export const name = 'a';"
    two = "import { name, one } from './one'; export const two = (page) => { page.fill('#', name); one(page); };"

    assert uses(source, one=one, two=two) == [({"a"}, ())]


@pytest.mark.parametrize(
    "body",
    [
        "page.fill('#', " + "(" * 2_000 + "'a'" + ")" * 2_000 + ");",
        "page.fill('#', " + " + ".join(["'a'"] * 2_000) + ");",
        "cy" + ".next()" * 2_000 + ".type('a');",
        "{" * 2_000 + "page.fill('#', 'a');" + "}" * 2_000,
        "const f = () => { page.fill('#', 'a'); f(); }; f();",
        "const x = " + "[" * 1_500 + "'a'" + "]" * 1_500 + "; page.use(x);",
        "const x = x; let y = { y }; y.y = y; page.fill('#', 'a'); page.fill('#', y);",
    ],
)
def test_deep_code_is_no_error(body: str) -> None:
    files, read = written({"a.spec.js": f"test('it', async ({{ page }}) => {{ {body} }});"})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert "a" in "".join(mention.text for mention in use.used)


def test_code_that_is_nested_too_deeply_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_DEPTH", 100)
    body = "page.fill('#', 'a'); " + "{" * 200 + "page.fill('#', 'b');" + "}" * 200
    files, read = written({"a.spec.js": f"test('it', async ({{ page }}) => {{ {body} }});"})
    limit = sys.getrecursionlimit()
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert (submitted(use), use.gaps) == ({"a"}, ("too long to be followed to its end",))
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    "loop",
    [
        "for (const name of NAMES) { await page.fill('#name', name); }",
        "NAMES.forEach((name) => page.fill('#name', name));",
        "new Map(NAMES.map((name) => [name, name])).forEach((name) => page.fill('#name', name));",
    ],
)
def test_a_loop_that_is_too_long_to_be_followed_is_a_gap(loop: str) -> None:
    names = [f"name{number}" for number in range(61)]
    source = f"const NAMES = {names};\ntest('types', async ({{ page }}) => {{ {loop} }});\n"
    files, read = written({"a.spec.ts": source, "b.spec.ts": source.replace(", 'name60'", "")})

    long, short = string_uses(declared_tests(files, read), files, read).values()

    assert [mention.text for mention in long.submitted][:60] == names[:60]
    assert "only the first 60 rounds" in long.gaps[0]
    assert short.gaps == ()


def test_a_text_or_a_list_that_doubles_again_and_again_does_not_grow() -> None:
    rounds = f"for (const one of {list(range(50))})"
    body = f"let s = 'ab'; let l = ['c']; {rounds} {{ s += s; l = l.concat(l); s = l.join(s); }} page.fill('#', s);"
    files, read = written({"a.spec.js": f"test('it', ({{ page }}) => {{ {body} page.fill('#', 'end'); }});"})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert "end" in submitted(use)
    assert max(len(mention.text) for mention in use.used) <= 2_000


@laws(12)
@given(st.sampled_from(sorted(TESTS)), st.data())
def test_a_suite_that_is_damaged_anywhere_is_read_without_an_error(name: str, data: st.DataObject) -> None:
    files, read = kept(f"claroline/{name}")
    sources = {file: read(file) or "" for file in [*files, "tsconfig.json", "cypress/fixtures/user.json"]}
    victim = data.draw(st.sampled_from(sorted(sources)))
    start = data.draw(st.integers(0, len(sources[victim])))
    end = data.draw(st.integers(start, min(len(sources[victim]), start + 60)))
    sources[victim] = sources[victim][:start] + data.draw(st.text(max_size=12)) + sources[victim][end:]

    tests = TESTS[name][::4]
    found = string_uses(tests, files, sources.get)

    assert tuple(found) == tests
    assert all(submitted(use) <= {mention.text for mention in use.used} for use in found.values())


@laws(40)
@given(st.binary(max_size=200))
@example(b"test('a', () => { \xff\xfe ")
@example(b"test('a', () => `${")
@example(b"export default class { constructor() { super(); } }")
def test_no_bytes_are_an_error(content: bytes) -> None:
    source = content.decode("utf-8", "surrogateescape")
    test = "import a, * as all from './a'; test('it', () => { a.b(all.c); new a(); for (const x of a) x(); });"
    files, read = written({"a.js": source, "b.spec.ts": test, "c.spec.tsx": source, "tsconfig.json": source})

    string_uses(declared_tests(files, read), files, read)


def test_without_the_grammars_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    grammars._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_typescript", None)

    with pytest.raises(UsageError, match="tree_sitter_typescript") as raised:
        declared_tests(*kept("claroline/playwright"))

    assert raised.value.hint == "pip install 'unknot[web]'"
