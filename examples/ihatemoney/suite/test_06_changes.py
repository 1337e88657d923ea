from collections.abc import Callable

from playwright.sync_api import Page

from suite.data import CLEO, DINNER, NEW_NAME_OF_TRIP, SOUVENIRS, TRIP, Project
from suite.pages import BillForm, BillsPage, SettingsPage

Enter = Callable[[Project], Page]


def test_edit_amount_of_bill(enter: Enter) -> None:
    page = enter(TRIP)
    bills = BillsPage(page, TRIP)
    bills.open()
    bills.edit(DINNER.what)
    form = BillForm(page, TRIP)
    form.fill_amount("80")
    form.submit()
    assert "The bill has been modified" in bills.messages
    assert bills.amount(DINNER.what) == "80.00"


def test_remove_bill(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    bills.remove(SOUVENIRS.what)
    assert "The bill has been deleted" in bills.messages
    assert SOUVENIRS.what not in bills.bills


def test_deactivate_participant_in_debt(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    assert bills.balance(CLEO) == "-24.00"
    bills.deactivate(CLEO)
    assert f"Participant '{CLEO}' has been deactivated" in bills.messages
    assert bills.is_inactive(CLEO)


def test_reactivate_participant(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    bills.reactivate(CLEO)
    assert f"{CLEO} is part of this project again" in bills.messages
    assert not bills.is_inactive(CLEO)


def test_rename_project(enter: Enter) -> None:
    settings = SettingsPage(enter(TRIP), TRIP)
    settings.open()
    settings.rename(NEW_NAME_OF_TRIP, TRIP.code)
    assert "Project settings have been changed successfully" in settings.messages
    assert settings.project_name == NEW_NAME_OF_TRIP
