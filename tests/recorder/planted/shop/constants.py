"""Never written; and two counters that nobody reads."""

TAXES = {"food": 7, "books": 7, "other": 19}
COLOURS = {"red", "green"}
LAST_SHOWN = None


class Gauge:
    def __init__(self):
        self.level = 0


LEFT = Gauge()
RIGHT = Gauge()
CHOICE = {}


def show(name):
    global LAST_SHOWN
    LAST_SHOWN = name
