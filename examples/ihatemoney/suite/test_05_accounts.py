from collections.abc import Callable

from playwright.sync_api import Page

from suite.data import ANA, BEN, CLEO, DINNER, TRIP, Project
from suite.pages import BillsPage, HistoryPage, SettlementPage, StatisticsPage

Enter = Callable[[Project], Page]


def test_balance_of_payer(enter: Enter) -> None:
    bills = BillsPage(enter(TRIP), TRIP)
    bills.open()
    assert bills.balance(ANA) == "+30.00"


def test_plan_of_settlement(enter: Enter) -> None:
    settlement = SettlementPage(enter(TRIP), TRIP)
    settlement.open()
    assert settlement.plan == {(CLEO, ANA, "24.00"), (BEN, ANA, "6.00")}


def test_expenses_of_month(enter: Enter) -> None:
    statistics = StatisticsPage(enter(TRIP), TRIP)
    statistics.open()
    assert statistics.expenses("August 2025") == "42.00"


def test_history_shows_added_bill(enter: Enter) -> None:
    history = HistoryPage(enter(TRIP), TRIP)
    history.open()
    assert any(f"Bill {DINNER.what} added" in event for event in history.events)
