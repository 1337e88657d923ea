from playwright.sync_api import Page

from suite.pages import CreationPage, FrontPage


def test_front_page_offers_login_and_creation(page: Page) -> None:
    front = FrontPage(page)
    front.open()
    assert front.cards == ["Log in to an existing project", "Create a new project"]


def test_choose_language(page: Page) -> None:
    front = FrontPage(page)
    front.open()
    front.choose_language("Español (latinoamérica)")
    assert front.cards[1] == "Crear un nuevo proyecto"


def test_unknown_project_leads_to_creation(page: Page) -> None:
    creation = CreationPage(page)
    creation.goto("/never-heard-of-it/")
    assert "/create" in page.url
    assert creation.name == "never-heard-of-it"
