"""Tests that fail after others: one polluter, two together, one behind a cleaner, the environment, either of two."""

import os

import desk


def test_default_currency() -> None:
    """Broken by test_change_currency."""
    assert desk.settings["currency"] == "EUR"


def test_change_currency() -> None:
    desk.settings["currency"] = "USD"
    assert desk.settings["currency"] == "USD"


def test_price_is_more_than_half() -> None:
    """Broken by test_staff_discount and test_summer_discount together."""
    assert desk.price(100) > 50


def test_staff_discount() -> None:
    desk.discounts["staff"] = 30
    assert desk.discounts["staff"] == 30


def test_summer_discount() -> None:
    desk.discounts["summer"] = 30
    assert desk.discounts["summer"] == 30


def test_mute() -> None:
    desk.switches["muted"] = True
    assert desk.switches["muted"]


def test_unmute() -> None:
    """Cleans up after test_mute."""
    desk.switches["muted"] = False
    assert not desk.switches["muted"]


def test_warning_is_shown() -> None:
    """Broken by test_mute, unless test_unmute came after it."""
    assert desk.warn("late") == "warning: late"


def test_default_region() -> None:
    """Broken by test_region_from_environment."""
    assert desk.region() == "eu"


def test_region_from_environment() -> None:
    os.environ["DESK_REGION"] = "us"
    assert desk.region() == "us"


def test_queue_starts_empty() -> None:
    """Broken by test_ticket_by_mail and by test_ticket_by_phone."""
    assert desk.queue == []


def test_ticket_by_mail() -> None:
    desk.queue.append("mail")
    assert desk.queue[-1] == "mail"


def test_ticket_by_phone() -> None:
    desk.queue.append("phone")
    assert desk.queue[-1] == "phone"
