from collections.abc import Callable

from playwright.sync_api import Page

from suite.data import ANA, BEN, FLAT, TRIP, Project
from suite.pages import CreationPage, HistoryPage, SettingsPage, SettlementPage

Enter = Callable[[Project], Page]


def test_register_settlement(enter: Enter) -> None:
    settlement = SettlementPage(enter(TRIP), TRIP)
    settlement.open()
    settlement.settle(BEN, ANA)
    assert "Settlement bill has been successfully added" in settlement.messages
    assert all(ower != BEN for ower, *_ in settlement.plan)


def test_clear_history(enter: Enter) -> None:
    history = HistoryPage(enter(TRIP), TRIP)
    history.open()
    history.clear(TRIP.code)
    assert "Deleted project history" in history.messages
    assert history.is_empty


def test_delete_project(enter: Enter) -> None:
    page = enter(FLAT)
    settings = SettingsPage(page, FLAT)
    settings.open()
    settings.delete(FLAT.code)
    assert "Project successfully deleted" in settings.messages
    creation = CreationPage(page)
    creation.goto(FLAT.path)
    assert creation.name == FLAT.id
