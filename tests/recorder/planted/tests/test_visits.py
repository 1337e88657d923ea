"""Dictionaries of other kinds."""

from shop import visits


def test_visit():
    visits.visit("home")


def test_visits():
    assert visits.visits("home") == 1


def test_nobody_saw_the_cellar():
    assert visits.visits("cellar") == 0


def test_busy_monday():
    visits.BY_DAY["monday"].append("ann")  # writes: shop.visits.BY_DAY['monday']


def test_monday():
    assert visits.BY_DAY["monday"] == ["ann"]  # reads: shop.visits.BY_DAY['monday']


def test_second_step():
    visits.STEPS["second"] = 2  # writes: shop.visits.STEPS['second']


def test_steps():
    assert list(visits.STEPS.values()) == [1, 2]  # reads: shop.visits.STEPS['second']
