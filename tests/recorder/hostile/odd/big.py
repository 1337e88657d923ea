"""More than can be compared after every test."""

BYTES = bytes(100_000_000)
MANY = [[number] for number in range(100_000)]


class Link:
    def __init__(self, following):
        self.following = following


def _chain(length):
    first = None
    for _ in range(length):
        first = Link(first)
    return first


CHAIN = _chain(30_000)
RING = []
RING.append(RING)
RING.append({"ring": RING})
NEST = []
for _ in range(30_000):
    NEST = [NEST]
