"""Which tests JavaScript source declares, and the forms of ids by which they are found."""

import pytest
from web.readers.other_suites.suite_files import submitted, written

from unknot.model.suite import TestId
from unknot.web.readers.javascript.suite import declared_tests, string_uses

CART = """
import { test } from '@playwright/test';
import { helper } from './helper';
test.describe('cart', () => {
  test('adds item', async ({ page }) => { await page.fill('#', 'adds'); });
  test.describe.serial('when empty', () => {
    test.skip('is empty', async ({ page }) => { await page.fill('#', 'empty'); });
  });
});
test(`total > 0: a.b`, { tag: '@slow' }, async ({ page }) => { await page.fill('#', 'total'); });
"""
LOGIN = """
const { describe, it } = require('mocha');
describe('login', function () { it.only('works', () => { cy.get('#').type('works'); }); });
describe('cart', () => { it('fails', function (done) { cy.get('#').type('fails'); }); });
"""
FILES = {
    "e2e/shop/cart.spec.ts": CART,
    "e2e/login.cy.js": LOGIN,
    "e2e/shop/helper.ts": "export const helper = (test) => { if (test('x')) { return 1; } };",
}


def test_every_test_of_every_dialect_is_declared_in_source_order() -> None:
    assert declared_tests(*written(FILES)) == (
        "e2e/shop/cart.spec.ts › cart › adds item",
        "e2e/shop/cart.spec.ts › cart › when empty › is empty",
        "e2e/shop/cart.spec.ts › total > 0: a.b",
        "e2e/login.cy.js › login › works",
        "e2e/login.cy.js › cart › fails",
    )


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("e2e/shop/cart.spec.ts › cart › adds item", "adds"),
        ("[chromium] › e2e/shop/cart.spec.ts:5:3 › cart › adds item", "adds"),
        ("[firefox] › shop/cart.spec.ts:5:3 › cart › adds item", "adds"),
        ("cart.spec.ts › cart › adds item", "adds"),
        ("shop/cart.spec.ts.cart › adds item", "adds"),
        ("cart.spec.ts.cart › when empty › is empty", "empty"),
        ("cart adds item", "adds"),
        ("cart > adds item", "adds"),
        ("cart.adds item", "adds"),
        ("adds item", "adds"),
        ("e2e/shop/cart.spec.ts › total > 0: a.b", "total"),
        ("total > 0: a.b", "total"),
        ("login works", "works"),
        ("works.login works", "works"),
        ("login::works", "works"),
    ],
)
def test_a_test_is_found_by_any_form_of_its_id(test: str, value: str) -> None:
    (use,) = string_uses([TestId(test)], *written(FILES)).values()

    assert submitted(use) == {value}


def test_a_test_that_is_not_there_is_a_gap() -> None:
    (use,) = string_uses([TestId("cart gone")], *written(FILES)).values()

    assert use.gaps == ("no test cart gone is found in the source",)


def test_a_title_that_two_tests_have_is_taken_for_neither() -> None:
    twins = {f"{name}.spec.ts": f"test('same', () => {{ type('{name}'); }});" for name in "ab"}
    bare, full = string_uses([TestId("same"), TestId("b.spec.ts › same")], *written(twins)).values()

    assert (bare.is_known, full.is_known) == (False, True)


def test_a_title_that_only_running_tells_stands_for_every_other_id_of_its_file() -> None:
    source = "test(titleOf(1), async ({ page }) => { await page.fill('#', 'a'); });\ntest('known', async () => {});"
    unknown, known = string_uses(
        [TestId("a.spec.ts › first"), TestId("known")], *written({"a.spec.ts": source})
    ).values()

    assert submitted(unknown) == {"a"}
    assert submitted(known) == set()
