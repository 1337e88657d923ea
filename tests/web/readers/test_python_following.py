"""Ways in which code leads from a test to what it types: imports, fixtures, classes, set-up."""

import pytest
from web.readers.python_suites.loading import submitted, use

_TYPE = "def enter(page, text):\n    page.fill('#x', text)\n"

_IMPORTS = {
    "a function": "from helper import enter\ndef test_it(page):\n    enter(page, 'v')\n",
    "a module": "import helper\ndef test_it(page):\n    helper.enter(page, 'v')\n",
    "a module by another name": "import helper as h\ndef test_it(page):\n    h.enter(page, 'v')\n",
    "a function by another name": "from helper import enter as e\ndef test_it(page):\n    e(page, 'v')\n",
    "everything": "from helper import *\ndef test_it(page):\n    enter(page, 'v')\n",
    "within the test": "def test_it(page):\n    from helper import enter\n    enter(page, 'v')\n",
    "through a package": "from pack import enter\ndef test_it(page):\n    enter(page, 'v')\n",
    "a module of a package": "from pack import inner\ndef test_it(page):\n    inner.enter(page, 'v')\n",
    "a dotted module": "import pack.inner\ndef test_it(page):\n    pack.inner.enter(page, 'v')\n",
    "from a directory without code": "from bare.deep import enter\ndef test_it(page):\n    enter(page, 'v')\n",
    "from src": "from lib.typing_of import enter\ndef test_it(page):\n    enter(page, 'v')\n",
}


@pytest.mark.parametrize("name", _IMPORTS)
def test_imports_are_followed(name: str) -> None:
    files = {
        "helper.py": _TYPE,
        "pack/__init__.py": "from .inner import enter\n",
        "pack/inner.py": "from ..helper import *\nfrom helper import enter\n",
        "bare/deep.py": _TYPE,
        "src/lib/__init__.py": "",
        "src/lib/typing_of.py": _TYPE,
        "test_it.py": _IMPORTS[name],
    }

    result = use(files, "test_it.py::test_it")

    assert [mention.text for mention in result.submitted] == ["v"]
    assert result.is_known


def test_relative_imports_start_at_the_package() -> None:
    files = {
        "a/__init__.py": "",
        "a/pages.py": _TYPE,
        "a/b/__init__.py": "",
        "a/b/test_it.py": "from ..pages import enter\nfrom .. import pages\ndef test_it(page):\n    enter(page, 'v')\n",
    }

    assert submitted(files, "a/b/test_it.py::test_it") == ["v"]


def test_imports_start_where_pytest_starts_them() -> None:
    files = {
        "suite/tests/test_it.py": "from steps import enter\ndef test_it(page):\n    enter(page, 'v')\n",
        "suite/tests/steps.py": _TYPE,
        "steps.py": "def enter(page, text):\n    page.fill('#x', 'wrong')\n",
    }

    assert submitted(files, "suite/tests/test_it.py::test_it") == ["v"]


_FIXTURES = {
    "by name": ("@pytest.fixture(name='called')\ndef other(page):\n    page.fill('#x', 'v')\n", "called"),
    "with a finaliser": (
        "@pytest.fixture\ndef f(page, request):\n    request.addfinalizer(lambda: page.fill('#x', 'v'))\n",
        "f",
    ),
    "requested by name": (
        "@pytest.fixture\ndef g(page):\n    page.fill('#x', 'v')\n"
        "@pytest.fixture\ndef f(request):\n    return request.getfixturevalue('g')\n",
        "f",
    ),
    "that tears down": ("@pytest.fixture\ndef f(page):\n    yield\n    page.fill('#x', 'v')\n", "f"),
    "that overrides": ("@pytest.fixture\ndef outer(page, outer):\n    page.fill('#x', outer)\n", "outer"),
    "that comes by itself": ("@pytest.fixture(autouse=True)\ndef f(page):\n    page.fill('#x', 'v')\n", "page"),
}


@pytest.mark.parametrize("name", _FIXTURES)
def test_fixtures_are_followed(name: str) -> None:
    declared, requested = _FIXTURES[name]
    files = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef outer():\n    return 'v'\n",
        "test_it.py": f"import pytest\n{declared}\ndef test_it({requested}):\n    pass\n",
    }

    assert submitted(files, "test_it.py::test_it") == ["v"]


def test_fixtures_that_marks_name_and_fixtures_of_classes() -> None:
    code = """
import pytest

@pytest.fixture
def driver(request, page):
    request.cls.page = page
    request.cls.greeting = "hello"

class Base:
    @pytest.fixture(autouse=True)
    def opened(self, page):
        self.form = Form(page)

class Form:
    def __init__(self, page):
        self.page = page
    def enter(self, text):
        self.page.fill("#x", text)

@pytest.mark.usefixtures("driver")
class TestIt(Base):
    def test_it(self):
        self.form.enter(self.greeting)
"""
    assert submitted(code, "test_it.py::TestIt::test_it") == ["hello"]


def test_set_up_and_tear_down_of_all_kinds() -> None:
    code = """
import unittest

def setUpModule():
    Page().enter("module")

class Page:
    def enter(self, text):
        browser().type("#x", text)

class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = Page()
        cls.page.enter("class")

    def setUp(self):
        super().setUp()
        self.page.enter("method")

    def tearDown(self):
        self.page.enter("after")

class Case(Base):
    def setUp(self):
        super().setUp()
        self.page.enter("own")

    def test_it(self):
        with self.subTest("part"):
            self.page.enter("test")
"""
    values = submitted(code, "test_it.py::Case::test_it")

    assert values == ["module", "class", "method", "own", "test", "after"]


def test_tests_that_a_class_inherits_from_another_module() -> None:
    files = {
        "shared.py": "class Shared:\n    name = 'base'\n    def test_it(self, page):\n        page.type(self.name)\n",
        "test_it.py": "from shared import Shared\nclass TestIt(Shared):\n    name = 'mine'\n",
    }

    assert submitted(files, "test_it.py::TestIt::test_it") == ["mine"]


def test_cases_of_the_package_parameterized() -> None:
    code = """
from parameterized import parameterized

class TestIt:
    @parameterized.expand([("ann", "1"), ("ben", "2")])
    def test_it(self, name, number):
        browser.fill("#x", name + number)
"""
    assert submitted(code, "test_it.py::TestIt::test_it_1_ben") == ["ben2"]


def test_cases_of_the_package_ddt() -> None:
    code = """
from ddt import data, ddt, unpack

@ddt
class TestIt:
    @data(("ann", "1"), ("ben", "2"))
    @unpack
    def test_both(self, name, number):
        browser.fill("#x", name + number)

    @data("one", "two")
    def test_one(self, word):
        browser.fill("#x", word)
"""
    assert submitted(code, "test_it.py::TestIt::test_both_2___ben____2__") == ["ben2"]
    assert submitted(code, "test_it.py::TestIt::test_one_1_one") == ["one"]


def test_page_objects_that_type_when_an_attribute_is_set() -> None:
    code = """
class Element:
    locator = "q"
    def __set__(self, page, value):
        page.driver.find_element("name", self.locator).send_keys(value)
    def __get__(self, page, owner):
        return page.driver.find_element("name", self.locator)

class Page:
    search = Element()
    def __init__(self, driver):
        self.driver = driver
    @property
    def title(self):
        return self.driver.find_element("id", "title")
    @title.setter
    def title(self, text):
        self.title.send_keys(text)

def test_it(driver):
    page = Page(driver)
    page.search = "wanted"
    page.title = "named"
    page.search.send_keys("more")
"""
    assert submitted(code, "test_it.py::test_it") == ["wanted", "named", "more"]


def test_context_managers_static_methods_and_factories() -> None:
    code = """
from contextlib import contextmanager

class Page:
    def __init__(self, page, user="nobody"):
        self.page, self.user = page, user
    def __enter__(self):
        self.page.fill("#x", "in " + self.user)
        return self
    def __exit__(self, *error):
        self.page.fill("#x", "out")
    @classmethod
    def of(cls, page):
        return cls(page, user=cls.default())
    @staticmethod
    def default():
        return "ann"

@contextmanager
def opened(page):
    page.fill("#x", "before")
    yield Page(page)
    page.fill("#x", "behind")

def test_it(page):
    with Page.of(page) as one, opened(page) as other:
        one.page.fill("#x", other.user)
"""
    assert submitted(code, "test_it.py::test_it") == ["in ann", "before", "behind", "nobody", "out"]


def test_an_annotation_tells_what_an_unknown_argument_is() -> None:
    code = """
class LoginPage:
    def __init__(self, page):
        self.page = page
    def log_in(self):
        self.page.fill("#x", "ann")

def test_it(login_page: "LoginPage"):
    login_page.log_in()
"""
    assert submitted(code, "test_it.py::test_it") == ["ann"]


def test_a_text_that_is_typed_letter_by_letter_is_one_text() -> None:
    code = "def test_it(page):\n    for letter in 'India':\n        page.locator('#x').type(letter)\n"

    assert submitted(code, "test_it.py::test_it") == ["India"]


def test_a_data_file_is_found_by_the_end_of_a_path_of_another_machine() -> None:
    files = {
        "tests/users.json": '[{"name": "Ann"}]',
        "tests/test_it.py": """
import json
def test_it(page):
    with open("C:\\\\Users\\\\me\\\\project\\\\tests\\\\users.json") as file:
        page.fill("#x", json.load(file)[0]["name"])
""",
    }

    assert submitted(files, "tests/test_it.py::test_it") == ["Ann"]


def test_of_a_value_known_in_parts_the_file_type_is_not_a_text() -> None:
    code = "import uuid\ndef test_it(page):\n    page.fill('#x', f'user{uuid.uuid4()}@example.org')\n"

    assert submitted(code, "test_it.py::test_it") == ["user"]


def test_steps_of_scenarios_are_a_gap() -> None:
    code = "from pytest_bdd import scenario\n@scenario('a.feature', 'Adds')\ndef test_it():\n    pass\n"

    assert use(code, "test_it.py::test_it").gaps == ("test_it.py:3: the steps of a scenario are not followed",)
