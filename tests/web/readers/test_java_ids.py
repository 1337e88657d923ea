"""Which tests Java source declares, and the forms of ids by which they are found."""

import pytest
from web.readers.other_suites.suite_files import submitted, written

from unknot.model.suite import TestId
from unknot.web.readers.java.suite import declared_tests, string_uses

CART = """\
package com.shop;
public class CartTest extends Base {
    @Test public void adds() { f.sendKeys("adds"); }
    public void helper() {}
    @Nested class WhenEmpty { @Test void isEmpty() { f.sendKeys("empty"); } }
    @Test @Ignore public void removes() {}
}
"""
BASE = 'package com.shop; abstract class Base { WebElement f; @Test void inherited() { f.sendKeys("inherited"); } }'
OLD = """package com.shop; public class OldTest extends ShopTestCase {
    public void testBuys() { f.sendKeys("buys"); } public void notATest() {} void testHidden() {} }"""
OLD_BASE = "package com.shop; public abstract class ShopTestCase extends TestCase { WebElement f; }"
NG = """package com.ng;
@Test public class AllOfThemTest { public void one() { f.sendKeys("one"); } int two() { return 2; } }"""
FILES = {
    "CartTest.java": CART,
    "Base.java": BASE,
    "OldTest.java": OLD,
    "ShopTestCase.java": OLD_BASE,
    "ng/AllOfThemTest.java": NG,
}


def test_every_test_of_every_dialect_is_declared_in_source_order() -> None:
    assert declared_tests(*written(FILES)) == (
        "com.shop.CartTest#adds",
        "com.shop.CartTest#removes",
        "com.shop.CartTest#inherited",
        "com.shop.CartTest$WhenEmpty#isEmpty",
        "com.shop.OldTest#testBuys",
        "com.ng.AllOfThemTest#one",
    )


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("com.shop.CartTest#adds", "adds"),
        ("com.shop.CartTest#adds(int)", "adds"),
        ("com.shop.CartTest#adds[2]", "adds"),
        ("com.shop.CartTest#adds~2", "adds"),
        ("com.shop.CartTest.adds", "adds"),
        ("CartTest#adds", "adds"),
        ("CartTest.adds", "adds"),
        ("adds", "adds"),
        ("com.shop.CartTest#inherited", "inherited"),
        ("com.shop.CartTest$WhenEmpty#isEmpty", "empty"),
        ("CartTest.WhenEmpty.isEmpty", "empty"),
        ("com.shop.OldTest", "buys"),
        ("OldTest", "buys"),
    ],
)
def test_a_test_is_found_by_any_form_of_its_id(test: str, value: str) -> None:
    (use,) = string_uses([TestId(test)], *written(FILES)).values()

    assert submitted(use) == {value}


def test_a_test_that_is_not_there_is_a_gap() -> None:
    (use,) = string_uses([TestId("com.shop.CartTest#gone")], *written(FILES)).values()

    assert use.gaps == ("no test com.shop.CartTest#gone is found in the source",)


def test_a_class_name_that_two_packages_have_is_taken_for_neither() -> None:
    twins = {f"{name}/CartTest.java": f"package {name}; class CartTest {{ @Test void adds() {{}} }}" for name in "ab"}
    simple, full = string_uses([TestId("CartTest#adds"), TestId("b.CartTest#adds")], *written(twins)).values()

    assert (simple.is_known, full.is_known) == (False, True)
