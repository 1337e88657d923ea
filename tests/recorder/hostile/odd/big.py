"""More than can be looked at after every test."""

BYTES = bytes(100_000_000)
MILLION = [[number] for number in range(1_000_000)]


class Link:
    def __init__(self, following):
        self.following = following


def _chain(length):
    first = None
    for _ in range(length):
        first = Link(first)
    return first


CHAIN = _chain(100_000)
RING = []
RING.append(RING)
RING.append({"ring": RING})
NEST = []
for _ in range(100_000):
    NEST = [NEST]
