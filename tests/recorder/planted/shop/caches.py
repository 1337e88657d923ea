"""Harmless: filled the same, whoever comes first."""

import functools
import re
import string

SQUARES = {}
PATTERNS = {}


def square(number):
    if number not in SQUARES:
        SQUARES[number] = number * number
    return SQUARES[number]


@functools.lru_cache(maxsize=None)
def cube(number):
    return number**3


def matches(pattern, text):
    if pattern not in PATTERNS:
        PATTERNS[pattern] = re.compile(pattern)
    return PATTERNS[pattern].match(text) is not None


def decoded(text):
    from shop import codes

    return codes.NAMES[text]


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @functools.cached_property
    def area(self):
        return 3 * self.radius**2


class Templates:
    def __init__(self):
        self._parsed = {}

    def render(self, text, **values):
        if text not in self._parsed:
            self._parsed[text] = string.Template(text)
        return self._parsed[text].substitute(values)


UNIT = Circle(1)
TEMPLATES = Templates()
