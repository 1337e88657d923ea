"""What moves on when it is asked."""

import io
import itertools
from collections import deque

PENDING = deque(maxlen=10)
WAITING = iter(["ann", "ben", "cem"])
COUNTER = itertools.count(100)
SCREEN = io.StringIO()


def _numbers():
    number = 0
    while True:
        number += 1  # writes: shop.queues.NUMBERS.<position>
        yield number  # writes: shop.queues.NUMBERS.<position>


NUMBERS = _numbers()


def next_number():
    return next(NUMBERS)  # writes: shop.queues.NUMBERS.<position>; reads: shop.queues.NUMBERS.<position>


def next_customer():
    return next(WAITING)  # writes: shop.queues.WAITING.<position>; reads: shop.queues.WAITING.<position>


def next_code():
    return next(COUNTER)  # writes: shop.queues.COUNTER.<position>; reads: shop.queues.COUNTER.<position>
