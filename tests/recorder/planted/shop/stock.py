"""Objects that are reached by two roads."""

from typing import NamedTuple


class Product:
    def __init__(self, price):
        self.price = price


class Pair(NamedTuple):
    name: str
    members: list


SHELF = ["cup"]
SHELVES = {"main": {"top": SHELF}}
_LAMP = Product(20)
BY_NAME = {"lamp": _LAMP}
BY_CODE = {7: _LAMP}
PAIR = Pair("blue", [])
del _LAMP


def reprice(name, price):
    BY_NAME[name].price = price  # writes: shop.stock.BY_CODE[7].price


def price_of(code):
    return BY_CODE[code].price  # reads: shop.stock.BY_CODE[7].price
