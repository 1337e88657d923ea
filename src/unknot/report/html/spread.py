"""Things in a row that all want to be somewhere, and must not stand on each other's feet."""

from collections.abc import Sequence
from itertools import accumulate, pairwise


def spread(wishes: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """The middles of things of these sizes, in the sequence given and none upon another, with the least sum of squared
    distances from what was wished. Cost: linear.

    >>> spread([0.0, 0.0, 5.0], [1.0, 1.0, 1.0])
    [-0.5, 0.5, 5.0]
    """
    # Without the distances that they must keep, the places only must not descend: neighbours that would are put
    # together at their mean, and that is the least sum of squares.
    starts = list(accumulate(((one + other) / 2 for one, other in pairwise(sizes)), initial=0.0))
    blocks: list[tuple[float, int]] = []
    for wish, start in zip(wishes, starts, strict=False):
        blocks.append((wish - start, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, count), (other, more) = blocks[-2:]
            blocks[-2:] = [((mean * count + other * more) / (count + more), count + more)]
    level = [mean for mean, count in blocks for _ in range(count)]
    return [mean + start for mean, start in zip(level, starts, strict=False)]
