"""Takes the list of another module by name."""

from shop.events import LOG


def note(text):
    LOG.append(text)  # writes: shop.events.LOG
