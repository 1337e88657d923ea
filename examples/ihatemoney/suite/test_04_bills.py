from collections.abc import Callable

from playwright.sync_api import Page

from suite.data import DINNER, MUSEUM, SOUVENIRS, TRIP, WITHOUT_AMOUNT, Bill, Project
from suite.pages import BillForm, BillsPage

Enter = Callable[[Project], Page]


def add(page: Page, bill: Bill) -> BillsPage:
    form = BillForm(page, TRIP)
    form.open()
    form.fill(bill)
    form.submit()
    bills = BillsPage(page, TRIP)
    assert "The bill has been added" in bills.messages
    return bills


def test_add_bill_for_two(enter: Enter) -> None:
    bills = add(enter(TRIP), DINNER)
    assert bills.amount(DINNER.what) == "60.00"


def test_add_bill_for_somebody_else(enter: Enter) -> None:
    bills = add(enter(TRIP), MUSEUM)
    assert bills.amount(MUSEUM.what) == "24.00"


def test_add_bill_with_amount_to_calculate(enter: Enter) -> None:
    bills = add(enter(TRIP), SOUVENIRS)
    assert bills.amount(SOUVENIRS.what) == "18.00"


def test_add_bill_without_amount_is_refused(enter: Enter) -> None:
    page = enter(TRIP)
    form = BillForm(page, TRIP)
    form.open()
    form.fill(WITHOUT_AMOUNT)
    form.submit_unchecked()
    assert "How much?: This field is required." in form.messages
    bills = BillsPage(page, TRIP)
    bills.open()
    assert WITHOUT_AMOUNT.what not in bills.bills


def test_search_bill_by_words(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    bills.filter("search", "souv")
    assert bills.bills == [SOUVENIRS.what]


def test_list_bills_of_20_or_more(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    bills.filter("amount_min", "20")
    assert bills.bills
    assert SOUVENIRS.what not in bills.bills
