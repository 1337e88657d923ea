"""What cannot be read of a Java suite is reported, with its place; whatever the input, nothing is raised."""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import laws
from web.readers.other_suites.suite_files import kept, submitted, written

from unknot.model.errors import UsageError
from unknot.web.readers.interpreter import grammars, machine
from unknot.web.readers.java.suite import declared_tests, string_uses

CLASS = """\
package shop;
import shop.pages.{page};
class CartTest {{
  @Test void adds() {{
    {body}
  }}
  @Test void other() {{ f.sendKeys("other"); }}
}}
"""
PAGE = 'package shop.pages;\npublic class Page {\n  void open() { f.sendKeys("open"); }\n}\n'
PAGE_TESTS = declared_tests(*kept("claroline/java_pages"))


def uses(body: str, page: str = "Page") -> list[tuple[set[str], tuple[str, ...]]]:
    sources = {"CartTest.java": CLASS.format(body=body, page=page), "pages/Page.java": PAGE}
    found = string_uses(declared_tests(*written(sources)), *written(sources))
    return [(submitted(use), use.gaps) for use in found.values()]


def test_a_test_that_does_not_parse_is_read_as_far_as_it_does() -> None:
    (adds, gaps), (_, others) = uses('f.sendKeys("a"); int = ; f.sendKeys("b");')

    assert adds == {"a", "b"}
    assert gaps == ("CartTest.java:5 does not parse",)
    assert others == ()


def test_a_class_of_the_project_that_is_missing_is_a_gap_of_the_tests_that_use_it() -> None:
    (_, gaps), (_, others) = uses("new Gone().open();", page="Gone")

    assert gaps == ("CartTest.java:2 imports Gone, which is not in the project",)
    assert others == ()


@pytest.mark.parametrize("package", ["shop.gone", "shop.pages.deep"])
def test_a_class_that_is_missing_below_a_package_of_the_project_is_a_gap(package: str) -> None:
    source = CLASS.format(body="new Gone().open();", page="Page").replace("shop.pages.Page", f"{package}.Gone")
    files, read = written({"CartTest.java": source, "pages/Page.java": PAGE})
    use, _ = string_uses(declared_tests(files, read), files, read).values()

    assert use.gaps == ("CartTest.java:2 imports Gone, which is not in the project",)


@pytest.mark.parametrize("body", ['new Gone().create("a");', 'Gone.create("a");'])
def test_a_class_that_is_missing_from_its_own_package_is_a_gap(body: str) -> None:
    (_, gaps), (_, others) = uses(body)

    assert gaps == ("CartTest.java:5 uses Gone, which is not found in its package",)
    assert others == ()


@pytest.mark.parametrize(
    ("body", "gap"),
    [
        ('new LibPage(driver).create("a");', "calls create of LibPage"),
        ('LibPage page = new LibPage(driver); page.open().create("a");', "calls create of LibPage"),
        ('var d = new ChromeDriver(); new LibPage(d).create("a");', "calls create of LibPage"),
        ('new LibList(driver).open("a");', "calls open of LibList"),
        ('new LibPage(driver, "a");', "hands the browser to LibPage"),
        ('LibPage.create(driver, "a");', "hands the browser to LibPage.create"),
        ('logIn(driver, "a");', "hands the browser to com.acme.Flows.logIn"),
        ('new Somewhere(driver).create("a");', "calls create of Somewhere"),
    ],
)
def test_a_page_object_of_a_package_that_cannot_be_read_is_a_gap(body: str, gap: str) -> None:
    assert foreign_gaps(body) == (f"CartTest.java:6 {gap}, whose code is not in the project",)


@pytest.mark.parametrize(
    "body",
    [
        'new LibPage(driver).open(); new LibPage("a"); LibPage.create("a"); logIn("a");',
        'new LibPage(driver).assertTitle("a"); LibPage.takeScreenshot(driver, "a");',
        'new LibPage(driver).getField().sendKeys("a");',
        'new WebDriverWait(driver, 10).withMessage("a").until(d -> d.findElement(By.id("a")));',
        'new Actions(driver).sendKeys("a").perform(); new Select(field).selectByValue("a");',
        'PageFactory.initElements(driver, "a"); Assert.assertEquals("a", driver); Allure.step("a");',
        'new File("a").delete(); throw new IllegalStateException("a", driver);',
    ],
)
def test_ordinary_use_of_libraries_is_no_gap(body: str) -> None:
    assert foreign_gaps(body) == ()


def foreign_gaps(body: str) -> tuple[str, ...]:
    source = f"""\
package shop;
import com.acme.LibPage;
import static com.acme.Flows.logIn;
import org.openqa.selenium.*;
class CartTest {{ WebDriver driver; WebElement field;
  @Test void adds() {{ {body} }} }}
"""
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()
    return use.gaps


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < driver.count(); i++) {",
        "for (int i = 0; i < 1000; i++) {",
        "for (int i = 0; i < 3; i++) { i = next(i);",
    ],
)
def test_numbers_of_rounds_that_are_typed_and_not_known_are_a_gap(loop: str) -> None:
    (result, gaps), _ = uses(loop + ' type("n" + i); } } void type(String text) { f.sendKeys(text);')

    assert result == set()
    assert gaps == ("CartTest.java:5 types numbers of its rounds, and how many is not known",)


def test_a_long_loop_that_types_no_numbers_is_no_gap() -> None:
    (result, gaps), _ = uses('for (int i = 0; i < 1000; i++) { f.find("row" + i); f.sendKeys("a"); }')

    assert (result, gaps) == ({"a"}, ())


def test_a_method_that_no_class_has_is_a_gap() -> None:
    (_, gaps), _ = uses("new Page().gone();")

    assert gaps == ("CartTest.java:5 calls gone of Page, which has no such method",)


def test_libraries_are_no_gaps() -> None:
    (adds, gaps), _ = uses(
        'new Page().open(); Faker.instance().name().fullName(); new WebDriverWait(d, 3).until(x -> x.y("a"));'
    )

    assert (adds, gaps) == ({"open"}, ())


def test_a_test_that_never_ends_is_a_gap_and_not_a_long_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "MOST_STEPS", 5_000)
    calls = "".join(f"void m{n}() {{ m{n + 1}(); m{n + 1}(); }} " for n in range(40))
    source = f'class CartTest {{ @Test void adds() {{ f.sendKeys("a"); m0(); }} {calls} void m40() {{ }} }}'
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert submitted(use) == {"a"}
    assert use.gaps == ("too long to be followed to its end",)


@pytest.mark.parametrize(
    "body",
    [
        "f.sendKeys(" + "(" * 2_000 + '"a"' + ")" * 2_000 + ");",
        "f.sendKeys(" + " + ".join(['"a"'] * 2_000) + ");",
        "f" + ".next()" * 2_000 + '.sendKeys("a");',
        "{" * 2_000 + 'f.sendKeys("a");' + "}" * 2_000,
        "recurse();",
    ],
)
def test_deep_code_is_no_error(body: str) -> None:
    source = f'class CartTest {{ @Test void adds() {{ {body} }} void recurse() {{ f.sendKeys("a"); recurse(); }} }}'
    files, read = written({"CartTest.java": source})
    (use,) = string_uses(declared_tests(files, read), files, read).values()

    assert "a" in "".join(mention.text for mention in use.used)


def test_formats_escapes_and_places_that_no_java_knows_are_no_error() -> None:
    format_call = f'String.format("%{"9" * 5000}$s %{"0" * 5000}x", "a")'
    body = f'f.sendKeys({format_call}); f.sendKeys("\\²"); f.sendKeys(List.of("x").get("²")); f.sendKeys("last");'

    (result, _), _ = uses(body)

    assert "last" in result


def test_classes_that_inherit_themselves_or_each_other_end() -> None:
    chain = " ".join(f"class C{n} extends C{n + 1} {{}}" for n in range(1_000))
    cycle = "class ATest extends BTest { @Test void a() {} } class BTest extends ATest {}"
    source = f"{cycle} {chain} class DTest extends C0 {{ @Test void d() {{}} }}"
    files, read = written({"ATest.java": source})

    assert set(declared_tests(files, read)) >= {"ATest#a", "DTest#d"}


@laws(12)
@given(st.data())
def test_a_suite_that_is_damaged_anywhere_is_read_without_an_error(data: st.DataObject) -> None:
    files, read = kept("claroline/java_pages")
    sources = {file: read(file) or "" for file in files}
    victim = data.draw(st.sampled_from(files))
    start = data.draw(st.integers(0, len(sources[victim])))
    end = data.draw(st.integers(start, min(len(sources[victim]), start + 60)))
    sources[victim] = sources[victim][:start] + data.draw(st.text(max_size=12)) + sources[victim][end:]

    tests = PAGE_TESTS[::4]
    found = string_uses(tests, files, sources.get)

    assert tuple(found) == tests
    assert all(submitted(use) <= {mention.text for mention in use.used} for use in found.values())


@laws(40)
@given(st.binary(max_size=200))
@example(b"class A { @Test void a() { \xff\xfe ")
def test_no_bytes_are_an_error(content: bytes) -> None:
    source = content.decode("utf-8", "surrogateescape")
    files, read = written({"A.java": source, "B.java": "class B extends A { @Test void b() { new A().a(); } }"})

    string_uses(declared_tests(files, read), files, read)


def test_without_the_grammars_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    grammars._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_java", None)

    with pytest.raises(UsageError, match="tree_sitter_java") as raised:
        declared_tests(*kept("claroline/java"))

    assert raised.value.hint == "pip install 'unknot[web]'"
