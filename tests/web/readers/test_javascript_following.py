"""What JavaScript and TypeScript tests say through the language, its libraries and the tools they are written with."""

import posixpath

import pytest
from web.readers.other_suites.suite_files import submitted, used, written

from unknot.model.candidates import StringUse
from unknot.web.readers.javascript.suite import declared_tests, string_uses


def use_of(body: str, before: str = "", *, ending: str = "ts", **others: str) -> StringUse:
    """Of one test with this body, in a file that begins with `before`, beside other files."""
    test = f"{before}\ntest('it', async function ({{ page, request, ...rest }}) {{ {body} }});"
    sources = {f"tests/it.spec.{ending}": test, **{name.replace("__", "."): text for name, text in others.items()}}
    files, read = written({f"tests/{name}" if "/" not in name else name: text for name, text in sources.items()})
    (use,) = string_uses(declared_tests(files, read), files, read).values()
    return use


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("await page.fill('#name', 'a');", {"a"}),
        ("await page.getByLabel('Name').fill('a', { timeout: 5 });", {"a"}),
        ("await page.locator('#x').pressSequentially('a', { delay: 5 });", {"a"}),
        ("await page.keyboard.type('a'); await page.keyboard.press('Enter');", {"a"}),
        ("await page.selectOption('#x', { label: 'Blue' });", {"Blue"}),
        ("await page.locator('#x').selectOption(['b', 'c']);", {"b", "c"}),
        ("await page.setInputFiles('#x', 'photo.png');", {"photo.png"}),
        ("await page.locator('#x').setInputFiles({ name: 'a.txt', mimeType: 't', buffer: b });", {"a.txt"}),
        ("await request.post('/users', { data: { name: 'a', tags: ['b'] }, headers: { h: 'c' } });", {"a", "b"}),
        ("await request.put('/users', { form: { name: 'a' } });", {"a"}),
        ("await request.get('/users', { params: { name: 'a' } });", set()),
        ("await fetch('/users', { method: 'POST', body: JSON.stringify({ name: 'a' }) });", {"a"}),
        ("cy.get('#x').clear().type('a{enter}', { delay: 0 });", {"a"}),
        (
            "cy.get('select').select('Blue'); cy.get('[type=radio]').check('red'); cy.get('#c').check();",
            {"Blue", "red"},
        ),
        ("cy.get('#x').selectFile('a.png'); cy.get('#y').attachFile('b.png');", {"a.png", "b.png"}),
        ("cy.get('#x').selectFile('cypress/fixtures/a.png');", {"cypress/fixtures/a.png", "a.png"}),
        ("await page.setInputFiles('#x', ['up/a.png', 'b.png']);", {"up/a.png", "a.png", "b.png"}),
        ("await driver.findElement(By.id('x')).sendKeys('/tmp/a.png');", {"/tmp/a.png", "a.png"}),
        ("cy.get('#x').realType('a');", {"a"}),
        ("cy.request({ method: 'POST', url: '/x', body: { name: 'a' } });", {"a"}),
        ("cy.request('POST', '/x', { name: 'a' });", {"a"}),
        ("cy.request('/x'); cy.request('GET', '/y'); cy.visit('/z'); cy.contains('a').click();", set()),
        ("await $('#x').setValue('a'); await (await $('#y')).addValue('b');", {"a", "b"}),
        ("await $('#x').selectByVisibleText('a'); await $('#x').selectByAttribute('value', 'b');", {"a", "b"}),
        ("await driver.findElement(By.id('x')).sendKeys('a', Key.RETURN);", {"a"}),
        ("new Array(3).fill('a'); ['x'].fill('b');", set()),
    ],
)
def test_only_what_is_typed_selected_uploaded_or_sent_is_submitted(body: str, values: set[str]) -> None:
    assert submitted(use_of(body, ending="js")) == values


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("const a = 'x'; let b = `${a}-${'y'}`; b += 1; await page.fill('#', b);", "x-y1"),
        (
            "const { u: { name, mail = 'm' }, ...other } = { u: { name: 'n' } }; await page.fill('#', name + mail);",
            "nm",
        ),
        ("const [, second] = ['a', 'b']; await page.fill('#', second);", "b"),
        ("for (const one of ['a']) await page.fill('#', one);", "a"),
        ("for (const [key, value] of Object.entries({ k: 'v' })) await page.fill(key, value);", "v"),
        ("for (const key in { k: 'v' }) await page.fill('#', key);", "k"),
        ("['a'].map((one) => one + '!').forEach(async (one) => page.fill('#', one));", "a!"),
        ("await Promise.all(['a'].map((one) => page.fill('#', one)));", "a"),
        ("const all = []; all.push('a'); await page.fill('#', all[0]);", "a"),
        ("const o = { n: 'a' }; o.m = o.n + 'b'; await page.fill('#', o['m']);", "ab"),
        ("const user = { ...{ name: 'a' }, name: 'b' }; await page.fill('#', user.name);", "b"),
        ("await page.fill('#', process.env.NAME ?? 'a');", "a"),
        ("const type = (text = 'a') => page.fill('#', text); await type();", "a"),
        ("async function type(...texts: string[]) { await page.fill('#', texts[1]); } await type('x', 'a');", "a"),
        ("const f = { type(text) { return page.fill('#', text as string); } }; await f.type('a'!);", "a"),
        ("await test.step('typing', async () => { await page.fill('#', 'a'); });", "a"),
        ("await page.fill('#', ' A '.trim().toLowerCase().padStart(2, 'x'));", "xa"),
        ("const m = new Map([['k', 'a']]); await page.fill('#', m.get('k'));", "a"),
        ("try { await page.fill('#', 'a'); return; } catch (e) { throw e; }", "a"),
        ("await page.fill('#', ['a', 'b'].join('\\u002d'));", "a-b"),
        ("await (await import('./data')).default.type(page);", "default"),
        ("const all = ['a']; for (let i = 0; i < all.length; i++) await page.fill('#', all[i]);", "a"),
        ("const i = 1; await page.fill('#', `n-${i + 1}`);", "n-2"),
        ("while (more()) { await page.fill('#', 'a'); break; }", "a"),
        ("switch (kind) { case 'x': await page.fill('#', 'a'); break; default: other(); }", "a"),
        ("try { go(); } catch { await page.fill('#', 'a'); } finally { stop(); }", "a"),
        ("new Map([['k', 'a']]).forEach((value, key) => page.fill(key, value));", "a"),
        ("const m = new Map(); m.set('k', 'a'); for (const v of m.values()) await page.fill('#', v);", "a"),
        ("for (const [, v] of new Map([['k', 'a']]).entries()) await page.fill('#', v);", "a"),
        ("for (const [i, v] of ['a'].entries()) await page.fill('#', v + i);", "a0"),
        ("let a; a ??= 'a'; await page.fill('#', a);", "a"),
        ("let b = 1; const a = (b, 'a'); await page.fill('#', <string>a);", "a"),
        ("await page.fill('#', [['a'], 'x'].flat()[0] ? Object.values({ k: 'a' })[0] : 'a');", "a"),
        ("await page.fill('#', Object.assign({}, { n: 'x' }, { n: 'a' }).n);", "a"),
        ("await page.fill('#', path.basename('d/a.png'));", "a.png"),
        ("await page.fill('#', ['b', 'a'].find((one) => one === 'a') && 'a');", "a"),
        ("await page.fill('#', ['x'].concat(['a']).slice(1).reduce((all, one) => 'a', ''));", "a"),
        ("const Page = class { go() { return page.fill('#', 'a'); } }; await new Page().go();", "a"),
        ("function go() { return page.fill('#', this.name); } await go.call({ name: 'a' });", "a"),
        ("const { ['k']: a, ...others } = { k: 'x', l: 'a' }; await page.fill('#', others.l);", "a"),
        ("[a, b] = ['x', 'a']; ({ c } = { c: b }); await page.fill('#', c);", "a"),
        ("await page.fill('#', String.raw`a`);", "a"),
        ("const o = {}; o['x'] = 'a'; await page.fill('#', o.x);", "a"),
        ("namespace N { export const a = 'a'; } enum E { 'A B' = 'a' } await page.fill('#', E['A B']);", "a"),
    ],
)
def test_a_value_is_known_however_it_is_made(body: str, value: str) -> None:
    data = "export default { type: async (page) => page.fill('#', 'default') };"

    assert submitted(use_of(body, data__ts=data)) == {value}


def test_a_comparison_of_known_texts_decides() -> None:
    body = """for (const one of ['a', 'b', 'c'].filter((each) => each !== 'b')) {
        if (one === 'a') await page.fill('#', 'first'); else await page.fill('#', one === 'c' ? 'last' : 'none'); }"""

    assert submitted(use_of(body)) == {"first", "last"}


def test_a_truth_value_that_may_have_changed_decides_nothing() -> None:
    use = use_of("if (!isReady) await page.fill('#', 'a');", "let isReady = true;")

    assert submitted(use) == {"a"}


def test_data_that_is_read_from_a_file_of_the_project_is_known() -> None:
    before = """import * as fs from 'fs'; import path from 'node:path';
        const users = JSON.parse(fs.readFileSync(path.join(__dirname, '../data/users.json'), 'utf8'));"""
    use = use_of("await page.fill('#', users.bob);", before, **{"data/users__json": '{"bob": "b"}'})

    assert submitted(use) == {"b"}


def test_hooks_may_be_set_up_by_a_function_of_another_module() -> None:
    hooks = """import { test } from '@playwright/test';
        export const setUp = () => ({ hooks: () => { test.beforeEach(({ page }) => page.fill('#', 'before')); } });"""
    use = use_of("", "import { setUp } from './hooks'; setUp().hooks();", hooks__ts=hooks)

    assert submitted(use) == {"before"}


def test_both_ways_of_a_branch_count() -> None:
    body = "let a = big ? 'x' : 'y'; if (big) { a = 'z'; } await page.fill('#', a);"

    assert submitted(use_of(body)) == {"x", "y", "z"}


def test_a_part_of_data_that_is_never_read_is_not_used() -> None:
    use = use_of(
        "await page.fill('#x', users.bob.name);",
        "const users = { bob: { name: `b${1}`, mail: 'm' }, eve: { name: 'e' } };",
    )

    assert used(use) == {"#x", "b1"}


def test_classes_with_getters_fields_statics_and_superclasses() -> None:
    page = """
        export class Base {
          static site = 'base';
          constructor(protected page) {}
          fill(text) { return this.page.fill(this.selector, text); }
        }
        """
    login = """
        import { Base } from './base';
        export default class Login extends Base {
          private user = { name: 'n' }; #secret = 's';
          constructor(page, readonly mail = 'm') { super(page); this.extra = 'e'; }
          get selector() { return '#login'; }
          fill(text) { return super.fill(text + '!'); }
          all = async () => {
            await this.fill(this.user.name);
            await this.fill(this.#secret);
            await this.fill(this.mail + this.extra + Login.site);
          };
        }"""
    use = use_of("await new Login(page).all();", "import Login from './login';", base__ts=page, login__ts=login)

    assert submitted(use) == {"n!", "s!", "mebase!"}
    assert "#login" in used(use)
    assert use.is_known


@pytest.mark.parametrize(
    ("before", "files"),
    [
        ("import { name } from './data';", {"data.ts": "export const name = 'a';"}),
        ("import { name } from './data.js';", {"data.ts": "const n = 'a'; export { n as name };"}),
        ("import name from '../data';", {"../data/index.ts": "export default 'a';"}),
        ("import * as data from './data'; const { name } = data;", {"data.mjs": "export const name = 'a';"}),
        ("const { name } = require('./data');", {"data.cjs": "module.exports = { name: 'a' };"}),
        ("const name = require('./data').name;", {"data.js": "exports.name = 'a';"}),
        ("import data from './data'; const name = data.name;", {"data.js": "module.exports = { name: 'a' };"}),
        ("import { name } from './all';", {"all.ts": "export * from './data';", "data.ts": "export const name = 'a';"}),
        ("import data from './data.json'; const name = data.name;", {"data.json": '{"name": "a"}'}),
        (
            "import { name } from '@data/names';",
            {
                "../tsconfig.json": '{"compilerOptions": {"paths": {"@data/*": ["d/*"],}}}',
                "../d/names.ts": "export const name = 'a';",
            },
        ),
        (
            "import { name } from 'lib/names';",
            {
                "../tsconfig.json": '{"compilerOptions": {"baseUrl": "."}}',
                "../lib/names.ts": "export const name = 'a';",
            },
        ),
        (
            "import { Names } from './data'; const name = Names.First;",
            {"data.ts": "export enum Names { First = 'a', Other }"},
        ),
    ],
)
def test_a_name_of_another_module(before: str, files: dict[str, str]) -> None:
    sources = {posixpath.normpath(f"tests/{name}"): text for name, text in files.items()}
    test = f"{before}\ntest('it', async ({{ page }}) => {{ await page.fill('#', name); }});"
    paths, read = written({"tests/it.spec.ts": test, **sources})
    (use,) = string_uses(declared_tests(paths, read), paths, read).values()

    assert (submitted(use), use.gaps) == ({"a"}, ())


def test_hooks_of_every_describe_around_a_test_count() -> None:
    source = """
        beforeEach(() => { cy.get('#').type('file'); });
        describe('outer', () => {
          before(() => { cy.get('#').type('outer'); });
          describe('inner', () => { beforeEach(() => { cy.get('#').type('inner'); }); it('one', () => {}); });
          describe('beside', () => { beforeEach(() => { cy.get('#').type('beside'); }); it('two', () => {}); });
          afterEach(() => { cy.get('#').type('after'); });
        });"""
    files, read = written({"a.cy.js": source})
    one, two = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(one) == {"file", "outer", "inner", "after"}
    assert submitted(two) == {"file", "outer", "beside", "after"}


def test_fixtures_are_set_up_where_they_are_named_and_automatic_ones_always() -> None:
    source = """
        import { test as base, mergeTests } from '@playwright/test';
        const test = base.extend({
          role: ['guest', { option: true }],
          user: async ({ page, role }, use) => {
            await page.fill('#', role);
            await use({ name: 'bob' });
            await page.fill('#', 'down');
          },
          always: [async ({ page }, use) => { await page.fill('#', 'always'); await use(); }, { auto: true }],
        });
        test('asks', async ({ user, page }) => { await page.fill('#', user.name); });
        test('does not', async ({ page }) => {});
        test.describe('as admin', () => { test.use({ role: 'admin' }); test('asks too', async ({ user }) => {}); });"""
    files, read = written({"a.spec.ts": source})
    asks, does_not, admin = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(asks) == {"always", "guest", "bob", "down"}
    assert submitted(does_not) == {"always"}
    assert submitted(admin) == {"always", "admin", "down"}


def test_tests_of_several_modules_are_merged_with_their_fixtures() -> None:
    before = """import { test as base, mergeTests } from '@playwright/test';
        const one = base.extend({ first: 'a' });
        const two = base.extend({ second: async ({ first }, use) => use(first + 'b') });
        const test = mergeTests(one, two);"""
    source = "test('it', async ({ page, second }) => { await page.fill('#', second); });"
    files, read = written({"a.spec.ts": before + source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"ab"}


def test_commands_of_cypress_are_followed_whatever_they_start_from() -> None:
    support = """Cypress.Commands.addAll({ login(name) { cy.get('#').type(name); } });
        Cypress.Commands.addAll({ prevSubject: true }, { enter: (subject, text) => cy.wrap(subject).type(text) });
        Cypress.Commands.overwrite('visit', (original, url) => original(url + '?x'));"""
    test = """it('it', () => {
        cy.login('a'); cy.get('#').enter('b'); cy.wrap(['c']).each((one) => cy.get('#').type(one)); });"""
    files, read = written({"cypress/support/commands.js": support, "cypress/e2e/a.cy.js": test})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"a", "b", "c"}


def test_tests_made_in_a_loop_are_distinguished() -> None:
    source = """
        for (const name of ['bob', 'eve']) test(`logs in ${name}`, async ({ page }) => { await page.fill('#', name); });
        test.each([['a', 'b']])('types %s and %s', async (one, two) => { await page.fill('#', one + two); });"""
    files, read = written({"a.spec.ts": source})
    uses = string_uses(declared_tests(files, read), files, read)

    assert {test: submitted(use) for test, use in uses.items()} == {
        "a.spec.ts › logs in bob": {"bob"},
        "a.spec.ts › logs in eve": {"eve"},
        "a.spec.ts › types a and b": {"ab"},
    }


@pytest.mark.parametrize(
    ("loop", "values"),
    [
        ("for (let i = 0; i < 2; i++)", {"n0", "n1"}),
        ("for (let i = 3; i > 1; i -= 1)", {"n3", "n2"}),
        ("for (let i = 0; i < ['a', 'b'].length; ++i)", {"n0", "n1"}),
    ],
)
def test_each_round_of_a_loop_that_counts_has_its_number(loop: str, values: set[str]) -> None:
    use = use_of(f"{loop} {{ await page.fill('#', `n${{i}}`); }}")

    assert (submitted(use), use.gaps) == (values, ())


def test_tests_that_a_counting_loop_makes_are_there_one_by_one() -> None:
    source = "for (let i = 1; i <= 2; i++) { test(`adds ${i}`, async ({ page }) => page.fill('#', `n${i}`)); }"
    files, read = written({"a.spec.js": source})
    found = string_uses(declared_tests(files, read), files, read)

    assert {test: submitted(use) for test, use in found.items()} == {
        "a.spec.js › adds 1": {"n1"},
        "a.spec.js › adds 2": {"n2"},
    }


def test_what_a_regular_expression_looks_for_is_used_and_is_no_text_that_could_be_typed() -> None:
    use = use_of(
        "await expect(page).toHaveURL(/ann\\.lee\\s+x/i); await page.fill('#', 'Ann'.replace(/[aeiou]/gi, ''));"
    )

    assert "ann.lee x" in used(use)
    assert submitted(use) == set()


def test_of_a_package_that_cannot_be_read_nothing_is_known_so_defaults_count() -> None:
    use = use_of("const { name = 'a' } = data.users; await page.fill('#', name);", "import data from 'acme-data';")

    assert (submitted(use), use.gaps) == ({"a"}, ())


def test_changes_of_a_module_end_with_the_test_that_makes_them() -> None:
    source = (
        "const users = ['Ann']; const account = { name: 'Ben' };"
        "test('first', ({ page }) => { users.push('Cid'); account.name = 'Dan'; page.fill('#u', users); });"
        "test('second', ({ page }) => { page.fill('#u', users); page.fill('#a', account.name); });"
    )
    files, read = written({"a.spec.js": source})
    first, second = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(first) == {"Ann", "Cid"}
    assert submitted(second) == {"Ann", "Ben"}


@pytest.mark.parametrize(
    ("branch", "values"),
    [
        ("if (rest.x) { v = 'b'; } else { v = 'c'; }", {"b", "c"}),
        ("if (rest.x) { v = 'b'; page.fill('#in', v); }", {"a", "b"}),
        ("if (rest.x) { v = 'b'; return; }", {"a"}),
        ("if (rest.x) { v = 'b'; } else { throw rest; }", {"b"}),
        ("for (const one of rest) { v = 'b'; }", {"a", "b"}),
    ],
)
def test_after_a_branch_a_variable_has_the_values_of_the_arms_that_go_on(branch: str, values: set[str]) -> None:
    assert submitted(use_of(f"let v = 'a'; {branch} page.fill('#x', v);")) == values
