"""A lower bound for every detector: how many orders and test runs tell one graph from all others.

A detector that is always right must be able to end in as many ways as there are graphs. Graphs with the same needs
count once, so that only graphs without an edge that follows from others may be counted. Among them are all in which the
later half of the suite needs tests of the earlier half: as many as there are ways to choose the edges from those pairs.
Every test run answers with one of two outcomes, the first test of the suite always with the same one; an order holds a
test at most once. So the logarithm of that number is a bound for test runs, and divided by n - 1 for orders. It holds
for the worst graph with so many edges, and for the average over them but for a bit or two, not for every single one.
"""

import math


def bits(size: int, edges: int) -> float:
    """The logarithm, to base 2, of the number of graphs counted."""
    pairs = (size // 2) * ((size + 1) // 2)
    if edges > pairs:
        return 0.0
    natural = math.lgamma(pairs + 1) - math.lgamma(edges + 1) - math.lgamma(pairs - edges + 1)
    return natural / math.log(2)


def orders(size: int, edges: int) -> float:
    return bits(size, edges) / (size - 1) if size > 1 else 0.0
