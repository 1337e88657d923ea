"""A Playwright suite in a real browser, recorded: one run of it serves all tests here."""

import re
from pathlib import Path

import pytest
from traffic_site import CHROMIUM, FLAGS, IN_THREAD, SITE, STRICT, has_browser

from unknot.app.recording.traffic import record_traffic
from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Exchange, Traffic
from unknot.report.reasons import sentences
from unknot.runners.settings import Settings
from unknot.web.hints.storage import storage_candidates
from unknot.web.hints.traffic.candidates import traffic_candidates

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not has_browser, reason="needs Chromium and its driver"),
]

CONFTEST = f"""{IN_THREAD}
from playwright.sync_api import sync_playwright

@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path={CHROMIUM!r}, args={FLAGS!r})
        yield browser
        browser.close()

@pytest.fixture(scope="session")
def shared(browser, url):
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/users")
    page.evaluate("document.cookie = 'chosen=light'")
    page.close()
    yield context

@pytest.fixture
def page(shared):
    page = shared.new_page()
    yield page
    page.close()
"""

SUITE = """
import urllib.request

def test_make_user(page):
    page.goto("/users")
    page.fill("[name=name]", "Nora Berg")
    page.fill("[name=password]", "geheim-123")
    page.click("text=Add")
    assert page.inner_text("h1") == "Nora Berg"
    page.evaluate("localStorage.setItem('theme', 'dark')")

def test_list_shows_user(page):
    page.goto("/users")
    assert page.locator("a").count() == 1

def test_open_user(page):
    page.goto("/users/7")
    page.goto("/login")

def test_note_by_request(page):
    page.request.post("/api/notes", data={"text": "buy oars"})

def test_note_is_shown_by_script(browser, url):
    page = browser.new_page()
    page.goto(url + "/app")
    page.wait_for_function("document.title == 'ready'")
    assert "buy oars" in page.inner_text("#notes")
    page.context.close()

def test_graphql(page):
    page.goto("/users")
    for query in ("query All { users { id } }", "mutation Add { add(name: \\"query\\") { id } }"):
        page.evaluate("q => fetch('/graphql', {method: 'POST', body: JSON.stringify({query: q})})", query)

def test_upload(page):
    page.goto("/users")
    page.fill("[name=caption]", "at the pier")
    page.click("#upload")
    assert page.inner_text("h1") == "thanks"

def test_plain_http(url):
    assert b"buy oars" in urllib.request.urlopen(url + "/api/notes").read()

def test_frozen_page(page):
    page.goto("/users")
    page.evaluate("setTimeout(() => { const until = Date.now() + 2500; while (Date.now() < until); }, 0)")

def test_refused_browser(browser):
    try:
        browser.browser_type.launch(executable_path="/nowhere/chromium")
    except Exception:
        pass
"""

ASYNC_SUITE = f"""
import asyncio
from playwright.async_api import async_playwright

async def visit(url):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path={CHROMIUM!r}, args={FLAGS!r})
        context = await browser.new_context(base_url=url)
        page = await context.new_page()
        await page.goto("/users")
        await page.fill("[name=name]", "Async Ann")
        await page.click("text=Add")
        await page.wait_for_selector("h1")
        await context.request.post("/api/notes", data={{"text": "paint boat"}})
        await browser.close()

def test_async(url):
    asyncio.run(visit(url))
"""


@pytest.fixture(scope="module")
def traffic(tmp_path_factory: pytest.TempPathFactory) -> Traffic:
    project = tmp_path_factory.mktemp("project")
    files = {"site_under_test.py": SITE, "conftest.py": CONFTEST, "test_a_sync.py": SUITE}
    _write(project, files)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return record_traffic(Settings(project, timeout=60, python_m=True))


def _write(project: Path, files: dict[str, str]) -> None:
    for name, text in {"pytest.ini": STRICT, **files}.items():
        (project / name).write_text(text, encoding="utf-8")


def _of(traffic: Traffic, name: str) -> list[Exchange]:
    return [each for each in traffic.exchanges if each.test.endswith(f"::{name}")]


def _edges(traffic: Traffic) -> dict[tuple[str, str], tuple[str, ...]]:
    found, _ = traffic_candidates(traffic, Suite(traffic.tests))
    names = [test.split("::")[1] for test in traffic.tests]
    return {(names[edge.dependent], names[edge.prerequisite]): sentences(edge.reasons) for edge in found}


def test_recording_leaves_every_outcome_as_it_is(traffic: Traffic) -> None:
    assert not [note for note in traffic.notes if "failed" in note]
    assert len(traffic.tests) == 10


def test_a_form_is_recorded_with_its_values_and_where_it_leads(traffic: Traffic) -> None:
    [form] = [each for each in _of(traffic, "test_make_user") if each.writes]
    assert (form.method, form.address, form.status, form.location) == ("POST", "/users", 303, "/users/7")
    assert [(field.name, field.is_secret) for field in form.fields] == [("name", False), ("password", True)]
    assert form.fields[0].value == "Nora Berg"


def test_passwords_are_kept_as_digests_only(traffic: Traffic) -> None:
    assert "geheim" not in repr(traffic)


def test_what_pages_show_and_addresses_name_gives_candidates(traffic: Traffic) -> None:
    edges = _edges(traffic)
    assert "POST /users created Nora Berg, which GET /users shows" in edges["test_list_shows_user", "test_make_user"]
    assert "POST /users wrote /users/7, which GET /users/7 requests" in edges["test_open_user", "test_make_user"]


def test_data_that_a_script_fetches_is_recorded_and_so_are_requests_without_a_browser(traffic: Traffic) -> None:
    edges = _edges(traffic)
    for reader in ("test_note_is_shown_by_script", "test_plain_http"):
        assert "POST /api/notes created buy oars, which GET /api/notes shows" in edges[reader, "test_note_by_request"]


def test_a_graphql_query_reads_and_a_mutation_writes(traffic: Traffic) -> None:
    written = [each.writes for each in _of(traffic, "test_graphql") if each.address == "/graphql"]
    assert written == [False, True]


def test_fields_of_a_multipart_form_are_recorded(traffic: Traffic) -> None:
    [form] = [each for each in _of(traffic, "test_upload") if each.writes]
    assert ("caption", "at the pier") in [(field.name, field.value) for field in form.fields]


def test_storage_and_cookies_that_survive_give_candidates_but_not_those_of_shared_fixtures(traffic: Traffic) -> None:
    suite = Suite(traffic.tests)
    found, _ = storage_candidates(traffic, suite)
    reasons_of = {
        (suite.tests[edge.dependent].split("::")[1], suite.tests[edge.prerequisite].split("::")[1]): sentences(
            edge.reasons
        )
        for edge in found
    }
    assert re.match("localStorage theme of .* was left", reasons_of["test_open_user", "test_make_user"][0])
    assert reasons_of["test_graphql", "test_open_user"] == ("the cookie session was left in the browser",)
    assert not [reason for reasons in reasons_of.values() for reason in reasons if "chosen" in reason]


def test_a_browser_that_does_not_start_is_named(traffic: Traffic) -> None:
    assert [note for note in traffic.notes if note.startswith("the browser could not be started")]


def test_the_async_api_is_recorded_as_well(tmp_path: Path, few_plugins: None) -> None:
    _write(tmp_path, {"site_under_test.py": SITE, "conftest.py": IN_THREAD, "test_async.py": ASYNC_SUITE})
    traffic = record_traffic(Settings(tmp_path, timeout=60, python_m=True))
    assert traffic.tests == (TestId("test_async.py::test_async"),)
    written = [(each.address, each.fields[0].value, each.status) for each in traffic.exchanges if each.writes]
    assert written == [("/users", "Async Ann", 303), ("/api/notes", "paint boat", 201)]
    assert not traffic.notes
