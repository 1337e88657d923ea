"""The motivating example of the TEDD paper for Playwright and for Cypress: the same S, U and graph."""

import pytest
from web.readers.other_suites.claroline_truth import holds_exactly
from web.readers.other_suites.suite_files import kept, written

from unknot.model.recording import Frame
from unknot.web.readers.javascript.suite import declared_tests, string_uses


@pytest.mark.parametrize("name", ["playwright", "cypress"])
def test_the_paper_s_example(name: str) -> None:
    files, read = kept(f"claroline/{name}")

    holds_exactly(string_uses(declared_tests(files, read), files, read))


def test_tests_are_declared_in_source_order_with_the_titles_around_them() -> None:
    files, read = kept("claroline/playwright")

    assert declared_tests(files, read) == (
        "tests/claroline.spec.ts › as administrator › addUserTest",
        "tests/claroline.spec.ts › as administrator › searchUserTest",
        "tests/claroline.spec.ts › loginUserTest",
        "tests/claroline.spec.ts › addCourseTest",
        "tests/claroline.spec.ts › searchCourseTest",
        "tests/claroline.spec.ts › enrolUserTest",
    )


def test_a_text_is_placed_where_it_is_written() -> None:
    files, read = written(
        {
            "a.spec.js": """\
            import { NAME } from './names';
            test('one', async ({ page }) => {
              await page.fill('#x', 'typed');
              await page.fill('#y', NAME);
            });
            """,
            "names.js": "export const NAME =\n  'named';\n",
        }
    )
    (use,) = string_uses(declared_tests(files, read), files, read).values()
    places = {mention.text: mention.place for mention in use.submitted}

    assert places == {"typed": Frame("a.spec.js", 3, "one"), "named": Frame("names.js", 2, "<module>")}
