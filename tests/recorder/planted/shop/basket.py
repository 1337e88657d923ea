"""Built-in containers: entries of a dictionary are locations of their own, a list or a set is one."""

import array

CART = {}
CONFIG = {"mail": {"host": "localhost", "port": 25}, "web": {"host": "localhost"}}
ITEMS = []
TAGS = {"new"}
RECENT = ["lamp", "desk"]
BYTES = bytearray(b"ab")
WEIGHTS = array.array("d", [1.0])


class Basket:
    def __init__(self):
        self.items = []
        self.coupon = None


def add(customer, item):
    CART[customer] = [*CART.get(customer, ()), item]  # writes: shop.basket.CART['alice']


def contents(customer):
    return CART.get(customer, [])  # reads: shop.basket.CART['alice']


def number_of_customers():
    return len(CART)


BASKETS = {"carol": Basket()}


def put(customer, item):
    BASKETS[customer].items.append(item)  # writes: shop.basket.BASKETS['carol'].items


def count(customer):
    return len(BASKETS[customer].items)  # reads: shop.basket.BASKETS['carol'].items
