from collections.abc import Callable

from playwright.sync_api import Page

from suite.data import FLAT, TRIP, Project
from suite.pages import CreationPage, FrontPage, SettingsPage

Enter = Callable[[Project], Page]


def test_create_project_from_front_page(page: Page) -> None:
    front = FrontPage(page)
    front.create(TRIP)
    assert page.url.endswith(TRIP.path)
    assert front.project_name == TRIP.name


def test_log_in(page: Page) -> None:
    front = FrontPage(page)
    front.log_in(TRIP.id, TRIP.code)
    assert page.url.endswith(TRIP.path)
    assert front.project_name == TRIP.name


def test_log_in_with_wrong_code_is_refused(page: Page) -> None:
    front = FrontPage(page)
    front.log_in(TRIP.id, "snow and ice")
    assert "This private code is not the right one" in front.messages


def test_create_project_with_identifier(page: Page) -> None:
    creation = CreationPage(page)
    creation.create(FLAT)
    assert page.url.endswith(FLAT.path)
    assert creation.project_name == FLAT.name


def test_switch_between_projects(enter: Enter) -> None:
    enter(FLAT)
    trip = SettingsPage(enter(TRIP), TRIP)
    trip.open()
    trip.switch_to(FLAT.name)
    assert trip.project_name == FLAT.name
