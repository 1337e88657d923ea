"""Whether one sample is larger than another, without assuming a distribution.

Reference
    H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than the
    other", Annals of Mathematical Statistics 18(1), 1947; A. Vargha, H. D. Delaney, "A critique and improvement of the
    CL common language effect size statistics of McGraw and Wong", J. Educational and Behavioral Statistics 25(2), 2000.
Cost
    One comparison for each pair.
"""

import math
from collections import Counter
from collections.abc import Sequence


def u_statistic(one: Sequence[float], other: Sequence[float]) -> float:
    """The pairs in which the first is larger; equal ones count half."""
    return sum((left > right) + 0.5 * (left == right) for left in one for right in other)


def effect_size(one: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a value of the first sample is larger than one of the other: 0.5 is no difference."""
    return u_statistic(one, other) / (len(one) * len(other))


def p_value(one: Sequence[float], other: Sequence[float]) -> float:
    """Two-sided, by the normal approximation with corrections for ties and continuity. Assumes about eight values or
    more in each sample; with fewer it is rough."""
    sizes = len(one) * len(other)
    total = len(one) + len(other)
    ties = sum(count**3 - count for count in Counter([*one, *other]).values())
    variance = sizes / 12 * (total + 1 - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    distance = max(0.0, abs(u_statistic(one, other) - sizes / 2) - 0.5)
    return math.erfc(distance / math.sqrt(2 * variance))
