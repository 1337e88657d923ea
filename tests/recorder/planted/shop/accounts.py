"""State behind properties and descriptors."""


class Positive:
    """A data descriptor that keeps its value in the instance, under another name."""

    def __set_name__(self, owner, name):
        self.slot = "_positive_" + name

    def __get__(self, instance, owner):
        return instance.__dict__[self.slot]  # reads: shop.accounts.TILL._positive_float_

    def __set__(self, instance, value):
        instance.__dict__[self.slot] = value  # writes: shop.accounts.TILL._positive_float_


class Till:
    float_ = Positive()

    def __init__(self):
        self._balance = 0
        self.float_ = 50
        self.is_open = False

    @property
    def balance(self):
        return self._balance  # reads: shop.accounts.TILL._balance

    @balance.setter
    def balance(self, value):
        self._balance = value  # writes: shop.accounts.TILL._balance


class Current:
    user = None


TILL = Till()
CURRENT = Current()
