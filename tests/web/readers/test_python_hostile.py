"""Whatever the code is, reading it comes to an end and raises nothing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws
from web.readers.python_suites.loading import all_tests, suite, use

from unknot.model.suite import TestId
from unknot.web.readers.python.suite import string_uses

_SUITES = sorted(path.stem for path in (Path(__file__).parent / "python_suites").glob("*.txt"))


def _typing(expression: str) -> str:
    return f"def test_it(page):\n    page.fill('#x', {expression})\n"


def _growing(statement: str, start: str) -> str:
    return f"def test_it(page):\n    s = {start}\n" + f"    {statement}\n" * 60 + "    page.fill('#x', s)\n"


def _deep_blocks() -> str:
    lines = [f"{' ' * (depth + 1)}if page.x:\n" for depth in range(90)]
    return "def test_it(page):\n" + "".join(lines) + " " * 92 + "pass\n"


def _long_call_chain() -> str:
    functions = [f"def f{number}(p):\n    return [f{number + 1}(p)]\n" for number in range(300)]
    return "".join(functions) + "def test_it(page):\n    f0(page)\n"


def _classes_of_two_parents() -> str:
    lines = ["class C0: pass\nclass D0: pass\n"]
    for number in range(1, 40):
        parents = f"C{number - 1}, D{number - 1}"
        lines.append(f"class C{number}({parents}): pass\nclass D{number}({parents}): pass\n")
    return "".join(lines) + "def test_it(page):\n    C39().missing()\n"


def _fixtures_in_a_row() -> str:
    fixtures = [f"@pytest.fixture\ndef f{number}(f{number + 1}): pass\n" for number in range(400)]
    return "import pytest\n" + "".join(fixtures) + "def test_it(f0): pass\n"


def _fixtures_in_a_circle() -> str:
    fixtures = "@pytest.fixture\ndef a(b): pass\n@pytest.fixture\ndef b(a): pass\n"
    return f"import pytest\n{fixtures}def test_it(a): pass\n"


_LONG_NUMBER = "0x" + "f" * 6000
_HOSTILE = {
    "brackets": _typing("(" * 5000 + ")" * 5000),
    "a very long sum": _typing(" + ".join(["'a'"] * 3000)),
    "a very long chain": "def test_it(page):\n    page" + ".a()" * 400 + ".fill('v')\n",
    "minus signs": _typing("-" * 5000 + "1"),
    "deep blocks": _deep_blocks(),
    "functions in a row": _long_call_chain(),
    "classes in a circle": "class A(B): pass\nclass B(A): pass\ndef test_it():\n    A().x().y\n",
    "classes of two parents": _classes_of_two_parents(),
    "texts that grow": _growing("s = s + s", "'ab'"),
    "texts that are known in parts and grow": _growing("s = f'{s}-{page.x}-{s}'", "'ab'"),
    "lists that grow": _growing("s = s + s", "['ab']"),
    "lists within lists": _growing("s = [s, s]", "['ab']"),
    "dicts within dicts": _growing("s = {'a': s, 'b': s}", "{}"),
    "wide formats": _typing("f'{1:>9999999999}' + '%9999999999d' % 1 + 'a' * 10**9"),
    "large numbers": _typing("9**9**9 + 10**400 * 10**400"),
    "texts repeated beyond counting": _typing(f"'' * {10**30} + 'ab' * -{10**30}"),
    "a number too long to be written": _typing(_LONG_NUMBER),
    "a case too long to be written": f"import pytest\n@pytest.mark.parametrize('x', [{_LONG_NUMBER}])\n"
    "def test_it(page, x): pass\n",
    "a digit that is no number": _typing("'{²}'.format('x')"),
    "a list in itself": "def test_it(page):\n    a = []\n    a.append(a)\n    page.fill('#x', a)\n    assert a == a\n",
    "many ways": "def test_it(page):\n    a = page.x and 'a' or 'b'\n    page.fill('#x', "
    + "+".join(["a"] * 50)
    + ")\n",
    "characters of no program": _typing("'\0'"),
    "half a character": _typing("'\ud800'"),
    "a long file": "x = 1\n" * 900_000,
    "fixtures in a circle": _fixtures_in_a_circle(),
    "fixtures in a row": _fixtures_in_a_row(),
    "an enumeration of itself": "from enum import Enum\nclass E(Enum):\n    A = E\n" + _typing("E.A.value.A"),
    "a class in itself": "class A:\n    def __init__(self):\n        self.a = A()\n" + _typing("A().a.a.a"),
    "a property of itself": "class A:\n    @property\n    def a(self):\n        return self.a\n" + _typing("A().a"),
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_code_is_read_to_an_end(name: str) -> None:
    result = use(_HOSTILE[name], "test_it.py::test_it")

    assert all(mention.place is not None for mention in result.used)


def test_a_suite_that_is_too_long_in_all_is_read_as_far_as_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [TestId(f"test_it.py::test_{name}") for name in "abc"]
    source = "".join(f"def test_{name}(page):\n    page.fill('#x', '{name * 3}')\n" for name in "abc")
    monkeypatch.setattr("unknot.web.readers.python.suite.MOST_STEPS", 10)

    first, *_, last = string_uses(tests, {"test_it.py": source}.get, ["test_it.py"]).values()

    assert [mention.text for mention in first.submitted] == ["aaa"]
    assert first.is_known
    assert (last.used, last.gaps) == ((), ("the tests before it take more than 10 steps to follow",))


def test_the_steps_of_tests_that_were_given_up_count(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [TestId(f"test_it.py::test_{name}") for name in "ab"]
    source = "".join(f"def test_{name}(page):\n    while page.x:\n" + "        page.y()\n" * 300 for name in "ab")
    monkeypatch.setattr("unknot.web.readers.python.language.MOST_STEPS", 200)
    monkeypatch.setattr("unknot.web.readers.python.suite.MOST_STEPS", 200)

    first, last = string_uses(tests, {"test_it.py": source}.get, ["test_it.py"]).values()

    assert first.gaps == ("test_it.py::test_a takes more than 200 steps to follow",)
    assert last.gaps == ("the tests before it take more than 200 steps to follow",)


def test_modules_that_import_each_other_without_end() -> None:
    files = {
        "a.py": "from b import x\nfrom b import *\n",
        "b.py": "from a import x\nfrom a import *\n",
        "test_it.py": "from a import x\ndef test_it(page):\n    x(page)\n    page.fill('#x', 'after')\n",
    }

    assert [mention.text for mention in use(files, "test_it.py::test_it").submitted] == ["after"]


def test_modules_that_import_one_another_in_a_long_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.web.readers.interpreter.machine.MOST_DEPTH", 500)
    files = {f"m{number}.py": f"from m{number + 1} import *\nx = y\n" for number in range(400)}
    files["test_it.py"] = "from m0 import x\ndef test_it(page):\n    page.fill('#x', 'before')\n    x(page)\n"

    result = use(files, "test_it.py::test_it")

    assert [mention.text for mention in result.submitted] == ["before"]
    assert not result.is_known


@laws(40)
@given(name=st.sampled_from(_SUITES), data=st.data())
def test_whatever_is_done_to_a_file_reading_never_raises(name: str, data: st.DataObject) -> None:
    """Statements are moved, dropped and doubled; names and operators are exchanged; the text is cut."""
    files = suite(name)
    path = data.draw(st.sampled_from(sorted(path for path in files if path.endswith(".py"))))
    files[path] = _spoilt(files[path], data)

    tests = all_tests(suite(name))
    assert list(string_uses(tests, files.get, files)) == tests


def _spoilt(text: str, data: st.DataObject) -> str:
    words = text.split(" ")
    for _ in range(data.draw(st.integers(1, 12))):
        one = data.draw(st.integers(0, len(words) - 1))
        other = data.draw(st.integers(0, len(words) - 1))
        words[one], words[other] = data.draw(
            st.sampled_from([(words[other], words[one]), (words[other], ""), ("(", "x")])
        )
    return " ".join(words)[: data.draw(st.integers(0, 2 * len(text)))]
