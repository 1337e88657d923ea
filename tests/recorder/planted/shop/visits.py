"""Dictionaries of other kinds."""

from collections import Counter, OrderedDict, defaultdict

PAGES = Counter()
BY_DAY = defaultdict(list)
STEPS = OrderedDict(first=1)


def visit(page):
    PAGES[page] += 1  # writes: shop.visits.PAGES['home']


def visits(page):
    return PAGES[page]  # reads: shop.visits.PAGES['home']
