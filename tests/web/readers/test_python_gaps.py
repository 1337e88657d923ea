"""What cannot be followed is reported, with its place; what belongs to another package is no gap."""

import pytest
from web.readers.python_suites.loading import submitted, use

_FOREIGN = """
import acme, allure, pytest
from acme import UserPage, log_in
from playwright.sync_api import expect
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.support.ui import WebDriverWait
"""


def _gaps(files: dict[str, str] | str, test: str = "test_it.py::test_it") -> list[str]:
    return list(use(files, test).gaps)


def test_a_file_that_does_not_parse() -> None:
    assert _gaps("def test_it(:\n") == ["test_it.py:1 does not parse: invalid syntax"]


def test_a_test_that_is_not_there() -> None:
    assert _gaps("def test_other(): pass\n") == ["test_it.py:1: test_it is not found in it"]
    assert _gaps("class TestIt: pass\n", "test_it.py::TestIt::test_it") == [
        "test_it.py:1: TestIt.test_it is not found in it"
    ]
    assert _gaps("", "spec/other.rb::it") == ["spec/other.rb::it is not a Python file of the project"]


def test_a_page_object_that_is_not_in_its_module() -> None:
    files = {
        "pages/__init__.py": "",
        "pages/login.py": "class Login: pass\n",
        "test_it.py": "from pages.login import LoginPage\n\ndef test_it(page):\n    LoginPage(page).log_in('ann')\n",
    }

    assert _gaps(files) == ["test_it.py:1: LoginPage is not in pages/login.py"]


def test_a_module_that_is_missing_from_a_package_of_the_project() -> None:
    files = {"pages/__init__.py": "", "test_it.py": "import pages.home as home\n\ndef test_it():\n    home.open()\n"}

    assert _gaps(files) == ["test_it.py:1: the module pages.home is not in the project"]


def test_a_broken_page_object_is_a_gap_only_for_tests_that_use_it() -> None:
    files = {
        "broken.py": "class Broken(:\n",
        "test_it.py": "from broken import Broken\n\ndef test_it(page):\n    Broken(page)\n\ndef test_other(): pass\n",
    }

    assert _gaps(files) == ["broken.py:1 does not parse: invalid syntax"]
    assert _gaps(files, "test_it.py::test_other") == []


def test_a_broken_conftest_is_a_gap_for_all_below_it() -> None:
    files = {"a/conftest.py": "def\n", "a/b/test_it.py": "def test_it(): pass\n", "test_it.py": "def test_it(): pass\n"}

    assert _gaps(files, "a/b/test_it.py::test_it") == ["a/conftest.py:1 does not parse: invalid syntax"]
    assert _gaps(files) == []


def test_libraries_that_are_not_there_are_no_gap() -> None:
    code = """
import numpy as np
from faker import Faker
from selenium.webdriver.support import expected_conditions as EC

def test_it(driver, wait):
    wait.until(EC.title_is(np.array(Faker().name())))
    undefined_name.anything()
"""
    assert _gaps(code) == []


@pytest.mark.parametrize(
    ("body", "gap"),
    [
        ("UserPage(page).create('Ann')", "create of acme.UserPage cannot be read"),
        ("UserPage(driver=driver).open().create(name='Ann')", "create of acme.UserPage cannot be read"),
        (
            "made = acme.pages.User(webdriver.Chrome())\n    made.create(['Ann'])",
            "create of acme.pages.User cannot be read",
        ),
        ("log_in(page, 'Ann')", "acme.log_in gets the browser, and cannot be read"),
        ("log_in(browser.new_page(), f'Ann {1}')", "acme.log_in gets the browser, and cannot be read"),
    ],
)
def test_a_page_object_of_a_package_that_cannot_be_read(body: str, gap: str) -> None:
    code = f"{_FOREIGN}\ndef test_it(page, driver, browser):\n    {body}\n"
    line = code.count("\n")

    assert _gaps(code) == [f"test_it.py:{line}: {gap}"]


@pytest.mark.parametrize(
    "body",
    [
        "UserPage(page).open(); UserPage('Ann'); log_in('Ann'); acme.log('Ann')",
        "UserPage(page).assert_title('Ann'); acme.take_snapshot(page, 'Ann')",
        "UserPage(page).name.fill('Ann')",
        "expect(page).to_have_title('Ann'); expect(page.locator('h1'), 'Ann').to_be_visible()",
        "WebDriverWait(driver, 10, 'x').until(lambda d: d.find_element('id', 'Ann'))",
        "ActionChains(driver).send_keys('Ann').perform(); print(page, 'Ann')",
        "with allure.step('Ann'), pytest.raises(ValueError, match='Ann'): allure.attach(page.screenshot(), 'Ann')",
    ],
)
def test_ordinary_use_of_libraries_is_no_gap(body: str) -> None:
    assert _gaps(f"{_FOREIGN}\ndef test_it(page, driver):\n    {body}\n") == []


def test_a_page_object_of_ours_behind_a_parameter_called_page_is_followed() -> None:
    code = (
        "class Home:\n    def add(self, n):\n        self.x.fill(n)\n\ndef test_it(page: Home):\n    page.add('Ann')\n"
    )

    assert submitted(code, "test_it.py::test_it") == ["Ann"]


def test_a_directory_called_like_a_library_is_not_taken_for_it() -> None:
    code = "from selenium import webdriver\n\ndef test_it():\n    webdriver.Chrome().find('x').send_keys('typed')\n"
    files = {"tests/selenium/test_it.py": code}

    assert _gaps(files, "tests/selenium/test_it.py::test_it") == []
    assert submitted(files, "tests/selenium/test_it.py::test_it") == ["typed"]


def test_an_import_that_is_tried_second_is_no_gap() -> None:
    files = {
        "helper.py": "def log_in(page):\n    page.fill('#name', 'ann')\n",
        "test_it.py": """
try:
    from ..helper import log_in
except ImportError:
    from helper import log_in

def test_it(page):
    log_in(page)
""",
    }

    assert submitted(files, "test_it.py::test_it") == ["ann"]
    assert _gaps(files) == []


def test_recursion_that_ends_is_followed_and_one_that_does_not_is_a_gap() -> None:
    ending = "def go(page, names):\n    page.fill('#x', names)\n    go(page, names)\n"
    growing = "def go(page, names):\n    page.fill('#x', names)\n    go(page, names + '!')\n"
    test = "\ndef test_it(page):\n    go(page, 'ann')\n"

    assert _gaps(ending + test) == []
    assert _gaps(growing + test) == ["test_it.py:3: go calls itself, too often to be followed"]
    assert submitted(growing + test, "test_it.py::test_it")[:2] == ["ann", "ann!"]


def test_what_was_read_before_the_steps_ran_out_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.web.readers.python.language.MOST_STEPS", 10_000)
    loops = "".join(f"{'    ' * depth}for x{depth} in range(200):\n" for depth in range(1, 5))
    code = f"def test_it(page):\n    page.fill('#x', 'early')\n{loops}{'    ' * 5}page.fill('#x', f'{{x4}}')\n"

    result = use(code, "test_it.py::test_it")

    assert result.submitted[0].text == "early"
    assert result.gaps == ("test_it.py::test_it takes more than 10,000 steps to follow",)


def test_a_loop_that_does_not_come_to_its_end_is_a_gap() -> None:
    code = "def test_it(page):\n    n = 0\n    while n < 9:\n        page.fill('#x', 'v')\n"

    assert _gaps(code) == ["test_it.py:3: only the first 300 rounds of a loop are followed"]
    assert submitted(code, "test_it.py::test_it") == ["v"]
