"""Instances and classes."""

import dataclasses


class User:
    count = 0
    discount = 0
    known = {}

    def __init__(self, name):
        self.name = name


class Guest(User):
    pass


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y


@dataclasses.dataclass
class Address:
    street: str
    lines: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True)
class Badge:
    number: int


class Manager:
    def __init__(self):
        self.open = False
        self.staff = []


ORIGIN = Point(0, 0)
HOME = Address("Main Street")
BADGE = Badge(1)
MANAGER = Manager()


def sign_up(name):
    User.count += 1  # writes: shop.people.User.count
    return User(name)


def signed_up():
    return User.count  # reads: shop.people.User.count
