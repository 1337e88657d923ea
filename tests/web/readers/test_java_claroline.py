"""The motivating example of the TEDD paper as Java source: S, U and the graph of figure 4, whatever the style."""

import re

from web.readers.other_suites.claroline_truth import TESTS, holds_exactly
from web.readers.other_suites.suite_files import kept, written

from unknot.model.recording import Frame
from unknot.web.readers.java.suite import declared_tests, string_uses


def in_one_class() -> str:
    files, read = kept("claroline/java")
    return read(files[0]) or ""


def test_tests_as_figure_1_shows_them() -> None:
    files, read = kept("claroline/java")
    tests = declared_tests(files, read)

    assert tests == tuple(f"claroline.ClarolineTest#{name}" for name in TESTS)
    holds_exactly(string_uses(tests, files, read))


def test_a_text_is_placed_where_it_is_written() -> None:
    files, read = kept("claroline/java")
    (use,) = string_uses(declared_tests(files, read)[:1], files, read).values()
    lines = in_one_class().splitlines()
    place = next(mention.place for mention in use.submitted if mention.text == "user001")

    assert place == Frame(
        "ClarolineTest.java", lines.index(next(line for line in lines if "user001" in line)) + 1, "addUserTest"
    )


def test_the_same_for_junit_5() -> None:
    source = in_one_class().replace("org.junit.", "org.junit.jupiter.api.").replace("@Before\n", "@BeforeEach\n")
    files, read = written(
        {"ClarolineTest.java": source.replace("public void", "void").replace("@After\n", "@AfterEach\n")}
    )

    holds_exactly(string_uses(declared_tests(files, read), files, read))


def test_the_same_for_testng() -> None:
    source = in_one_class().replace("org.junit.", "org.testng.annotations.").replace("@Before\n", "@BeforeMethod\n")
    files, read = written({"ClarolineTest.java": source})

    holds_exactly(string_uses(declared_tests(files, read), files, read))


def test_the_same_for_junit_3() -> None:
    source = re.sub(r"@\w+\n\s*public", "public", in_one_class()).replace(
        "class ClarolineTest", "class ClarolineTest extends TestCase"
    )
    source = re.sub(r"void (\w)(\w+)Test\(", lambda found: f"void test{found[1].upper()}{found[2]}(", source)
    files, read = written({"ClarolineTest.java": source})
    tests = declared_tests(files, read)
    uses = string_uses(tests, files, read)

    assert tests[0] == "claroline.ClarolineTest#testAddUser"
    holds_exactly({type(test)(f"#{name}"): uses[test] for test, name in zip(tests, TESTS, strict=True)})


def test_the_same_through_page_objects() -> None:
    files, read = kept("claroline/java_pages")

    holds_exactly(string_uses(declared_tests(files, read), files, read))
