from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from suite.data import ANA, BEN, CLEO, TRIP, Project
from suite.pages import BillsPage

Enter = Callable[[Project], Page]


@pytest.mark.parametrize("name", [ANA, BEN, CLEO])
def test_add_participant(enter: Enter, name: str) -> None:
    trip = BillsPage(enter(TRIP), TRIP)
    trip.open()
    trip.add_participant(name)
    assert f"{name} has been added" in trip.messages
    assert name in trip.participants


def test_add_participant_twice_is_refused(enter: Enter) -> None:
    trip = BillsPage(enter(TRIP), TRIP)
    trip.open()
    assert ANA in trip.participants
    trip.add_participant(ANA)
    assert "This project already have this participant" in trip.messages
