"""Databases and ports."""

from shop import orders, server


def test_place():
    orders.place("lamp")


def test_placed():
    assert orders.placed() == [("lamp",)]


def test_no_customers():
    assert orders.customers() == []


def test_draft():
    orders.draft("desk")


def test_drafts():
    assert orders.drafts() == [("desk",)]


def test_no_notes():
    assert orders.notes() == []


def test_book():
    orders.book(12)


def test_booked():
    assert orders.booked() == [(12,)]


def test_listen():
    server.listen()


def test_reachable():
    assert server.is_reachable()


def test_close():
    server.close()
