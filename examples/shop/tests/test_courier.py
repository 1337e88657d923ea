from __future__ import annotations

import pytest

from shop import courier


class Line:
    """A line to the courier that is dead for the first calls."""

    def __init__(self, number: str, dead: int = 0) -> None:
        self.number = number
        self.dead = dead
        self.calls = 0

    def send(self, _address: str) -> str:
        self.calls += 1
        if self.calls <= self.dead:
            raise ConnectionError("no answer")
        return self.number


def test_booking_is_tried_again() -> None:
    line = Line("P-2", dead=2)
    assert courier.book("2 High Street", line.send) == "P-2"
    assert line.calls == 3
    assert courier.destination("P-2") == "2 High Street"


def test_booking_is_given_up() -> None:
    # The courier stays marked as down.
    line = Line("P-3", dead=9)
    with pytest.raises(courier.CourierDown):
        courier.book("3 Quay Street", line.send)
    assert line.calls == 4


def test_courier_is_called_again() -> None:
    courier.back_in_service()
    assert not courier.is_down()


def test_slow_courier_gets_a_last_chance() -> None:
    line = Line("P-4", dead=3)
    assert courier.book("4 Quay Street", line.send) == "P-4"
