"""Which texts each test of a pytest suite submits and uses: the sets S and U of TEDD's Algorithm 1, from source."""

from collections.abc import Collection, Sequence

from unknot.model.candidates import StringUse
from unknot.model.suite import TestId
from unknot.web.readers.python.fixtures import FixtureCatalogue
from unknot.web.readers.python.language import PythonLanguage
from unknot.web.readers.python.project import PythonProject, Read
from unknot.web.readers.python.test_code import NodeId, follow_test

MOST_STEPS = 20_000_000
"""For all tests together: a few minutes. A suite of a thousand tests takes a tenth of it."""


def string_uses(
    tests: Sequence[TestId], read: Read, files: Collection[str], roots: Sequence[str] = ()
) -> dict[TestId, StringUse]:
    """What each test says, through page objects, helper functions, fixtures and parameters.

    `read` gives the text of a project file by its path from the root, with slashes; `files` are all such paths, and
    decide which imports mean the project's own code; `roots` are further directories where imports start, such as
    pytest's `pythonpath`. Tests are named by pytest's node ids from the same root.

    Guarantees: no code of the project is run or imported. It ends, whatever the code is, and never raises: what cannot
    be followed is a gap of the test. The same files give the same answer, and tests do not change each other's.
    Assumes that decorators change nothing. A text that is not known adds nothing, and is no gap.
    Cost: each file is parsed once; a test takes about as many steps as it would take Python, and at most 100,000. Of a
    suite that takes more than `MOST_STEPS` the last tests are not read, and say so.
    """
    language = PythonLanguage(PythonProject(read, files, roots))
    catalogue = FixtureCatalogue(language)
    left = MOST_STEPS
    found: dict[TestId, StringUse] = {}
    for test in tests:
        if left <= 0:
            found[test] = StringUse(gaps=(f"the tests before it take more than {MOST_STEPS:,} steps to follow",))
            continue
        with language.test(test) as trace:
            follow_test(language, catalogue, NodeId.of(test))
            left -= language.steps_taken
        found[test] = trace.as_use
    return found
