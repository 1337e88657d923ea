"""A Selenium suite in a real browser against an instance of its own, recorded: one run of it serves all tests here."""

import sys

import pytest
from traffic_site import CHROMIUM, DRIVER, FLAGS, SITE, STRICT, has_browser

from unknot.app.recording.traffic import record_traffic
from unknot.model.suite import Suite
from unknot.model.traffic import Traffic
from unknot.report.reasons import sentences
from unknot.runners.settings import Settings
from unknot.runners.sut.config import instance_spec
from unknot.web.hints.storage import storage_candidates
from unknot.web.hints.traffic.candidates import traffic_candidates

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not has_browser, reason="needs Chromium and its driver"),
]

CONFTEST = f"""
import os
import pytest
from selenium import webdriver

@pytest.fixture(scope="session")
def url():
    return "http://127.0.0.1:" + os.environ["UNKNOT_PORT_0"]

@pytest.fixture(scope="session")
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = {CHROMIUM!r}
    for flag in {FLAGS!r}:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService({DRIVER!r}))
    yield driver
    driver.quit()

class OfAnotherMake(webdriver.Chrome):
    capabilities = property(lambda self: {{**self.caps, "browserName": "firefox", "goog:chromeOptions": {{}}}})

@pytest.fixture
def attached(driver, request):
    options = webdriver.ChromeOptions()
    options.debugger_address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with request.param(options=options, service=webdriver.ChromeService({DRIVER!r})) as attached:
        yield attached
"""

SUITE = """
import os, signal, subprocess
import pytest
from conftest import OfAnotherMake
from selenium import webdriver
from selenium.common import WebDriverException

def test_make_user(driver, url):
    driver.get(url + "/users")
    driver.find_element("name", "name").send_keys("Lars Holm")
    driver.find_element("tag name", "button").click()
    assert driver.find_element("tag name", "h1").text == "Lars Holm"
    driver.execute_script("document.cookie = 'who=lars'; localStorage.setItem('seen', '1')")

def test_list_shows_user(driver, url):
    driver.get(url + "/users")
    assert driver.find_element("link text", "Lars Holm")

def test_follow_link_of_page_left_open(driver):
    driver.find_element("link text", "Lars Holm").click()
    assert driver.find_element("tag name", "h1").text == "Lars Holm"

def test_leave_dialog_open(driver, url):
    driver.get(url + "/users")
    driver.execute_script("alert('really?')")

def test_answer_dialog(driver):
    assert driver.switch_to.alert.text == "really?"
    driver.switch_to.alert.accept()

@pytest.mark.parametrize("attached", [webdriver.Chrome, OfAnotherMake], indirect=True, ids=["chrome", "other"])
def test_attached(attached, url):
    attached.get(url + "/users/7")
    assert attached.find_element("tag name", "h1").text == "Lars Holm"

def test_page_crashes(driver):
    with pytest.raises(WebDriverException):
        driver.get("chrome://crash")

def test_browser_is_killed(driver):
    driver_process = str(driver.service.process.pid)
    children = subprocess.run(["ps", "--ppid", driver_process, "-o", "pid="], capture_output=True, text=True).stdout
    for process in map(int, children.split()):
        os.kill(process, signal.SIGKILL)

def test_nothing_is_left_to_drive(driver):
    with pytest.raises(WebDriverException):
        driver.get("about:blank")
"""


@pytest.fixture(scope="module")
def traffic(tmp_path_factory: pytest.TempPathFactory) -> Traffic:
    project = tmp_path_factory.mktemp("project")
    files = {"pytest.ini": STRICT, "site_under_test.py": SITE, "conftest.py": CONFTEST, "test_users.py": SUITE}
    for name, text in files.items():
        (project / name).write_text(text, encoding="utf-8")
    start = f"{sys.executable} site_under_test.py {{port0}}"
    instance = instance_spec({"start": start, "ports": 1, "ready": "port"}, "unknot.toml")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return record_traffic(Settings(project, timeout=60, python_m=True, instance=instance))


def _position(traffic: Traffic, name: str) -> int:
    [found] = [number for number, test in enumerate(traffic.tests) if test.endswith(f"::{name}")]
    return found


def test_recording_leaves_every_outcome_as_it_is_even_with_a_dialog_left_open(traffic: Traffic) -> None:
    assert not [note for note in traffic.notes if "failed" in note]
    assert len(traffic.tests) == 10


def test_a_form_is_recorded_with_its_values_and_where_it_leads(traffic: Traffic) -> None:
    [form] = [each for each in traffic.exchanges if each.writes]
    assert (form.method, form.address, form.status, form.location) == ("POST", "/users", 303, "/users/7")
    assert (form.fields[0].name, form.fields[0].value) == ("name", "Lars Holm")


def test_commands_to_the_driver_are_no_traffic(traffic: Traffic) -> None:
    assert {each.address.split("/")[1] for each in traffic.exchanges} == {"users"}


def test_readers_are_candidates_by_what_they_are_shown_in_any_browser(traffic: Traffic) -> None:
    found, _ = traffic_candidates(traffic, Suite(traffic.tests))
    maker = _position(traffic, "test_make_user")
    dependents = {edge.dependent for edge in found if edge.prerequisite == maker}
    readers = ("test_list_shows_user", "test_attached[chrome]", "test_attached[other]")
    assert dependents >= {_position(traffic, name) for name in readers}


def test_what_survives_in_the_browser_gives_candidates_and_so_does_a_page_left_open(traffic: Traffic) -> None:
    found, _ = storage_candidates(traffic, Suite(traffic.tests))
    reasons = {(edge.dependent, edge.prerequisite): sentences(edge.reasons) for edge in found}
    maker, lister = _position(traffic, "test_make_user"), _position(traffic, "test_list_shows_user")
    follower = _position(traffic, "test_follow_link_of_page_left_open")
    assert "the cookie who was left in the browser" in reasons[lister, maker]
    assert any(reason.startswith("localStorage seen") for reason in reasons[lister, maker])
    assert "it starts on a page that was left open: GET /users/7" in reasons[follower, lister]


def test_a_browser_without_devtools_is_named(traffic: Traffic) -> None:
    assert "of firefox only the pages at the ends of tests were seen, and no requests" in traffic.notes


def test_a_page_that_crashes_and_a_browser_that_dies_are_named(traffic: Traffic) -> None:
    assert "a page crashed in test_users.py::test_page_crashes" in traffic.notes
    assert "the browser ended in test_users.py::test_browser_is_killed; later tests may lack it" in traffic.notes


def test_every_driver_is_a_context_of_its_own(traffic: Traffic) -> None:
    assert traffic.contexts == 3
