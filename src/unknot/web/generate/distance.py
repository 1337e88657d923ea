"""How different two tests are, by their actions and by their inputs.

Reference
    M. Biagiola, A. Stocco, F. Ricca, P. Tonella, "Diversity-based web test generation", ESEC/FSE 2019. The longest
    common subsequence is found as in H. Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
Idea
    The distance of two sequences of actions is the number of actions that are not in their longest common subsequence.
    To this is added, for each pair of actions that the subsequence matches, the mean distance of their inputs.
Guarantee
    The distance of actions is a metric on sequences of actions. With inputs it need not be one: which actions are
    matched depends on the pair of tests.
Cost
    One operation on an integer of as many bits as the one test has actions, for each action of the other.
"""

from collections.abc import Iterable, Sequence

from unknot.web.generate.call import Path, PlannedCall


class ActionSequence:
    """A sequence of names, made ready for comparisons with many others."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self._places: dict[str, int] = {}
        for position, each in enumerate(self.names):
            self._places[each] = self._places.get(each, 0) | 1 << position

    def distance(self, other: Sequence[str]) -> int:
        """
        >>> ActionSequence("abbc").distance("ebcf")
        4
        """
        common = len(self.names) - self._rows(other)[-1].bit_count()
        return len(self.names) + len(other) - 2 * common

    def common(self, other: Sequence[str]) -> list[tuple[int, int]]:
        """The positions in both of one longest common subsequence, in order. Which of several is fixed by the
        sequences.

        >>> ActionSequence("abbc").common("ebcf")
        [(1, 1), (3, 2)]
        """
        rows = self._rows(other)
        matched: list[tuple[int, int]] = []
        left, right = len(self.names), len(other)
        while left and right:
            bit = 1 << (left - 1)
            if rows[right] & bit:
                left -= 1
            elif not rows[right - 1] & bit:
                right -= 1
            else:
                matched.append((left - 1, right - 1))
                left, right = left - 1, right - 1
        return matched[::-1]

    def _rows(self, other: Sequence[str]) -> list[int]:
        """After each name of the other, bit i is 0 where position i makes the common subsequence longer."""
        everything = (1 << len(self.names)) - 1
        rows = [everything]
        for each in other:
            row = rows[-1]
            matches = row & self._places.get(each, 0)
            rows.append(((row + matches) | (row - matches)) & everything)
        return rows


class PathDistance:
    """Of tests to one test. `with_inputs`: the inputs of matched actions count, too."""

    def __init__(self, path: Path, *, with_inputs: bool) -> None:
        self._path = path
        self._sequence = ActionSequence(_names(path))
        self._with_inputs = with_inputs

    @property
    def names(self) -> tuple[str, ...]:
        return self._sequence.names

    def to(self, other: "PathDistance") -> float:
        if not self._with_inputs:
            return float(self._sequence.distance(other.names))
        matched = self._sequence.common(other.names)
        inputs = sum(inputs_distance(self._path[left], other._path[right]) for left, right in matched)
        return len(self.names) + len(other.names) - 2 * len(matched) + inputs


def inputs_distance(one: PlannedCall, other: PlannedCall) -> float:
    """The mean over the parameters; 0 without any. A parameter whose values are listed is an enumeration."""
    enumerations = {each.name for each in one.transition.parameters if each.values}
    values = dict(other.values)
    distances = [
        float(value != values.get(name, "")) if name in enumerations else value_distance(value, values.get(name, ""))
        for name, value in one.values
    ]
    return sum(distances) / len(distances) if distances else 0.0


def value_distance(one: str, other: str) -> float:
    """Numbers by their difference, texts by edit distance, both brought to less than 1.

    >>> value_distance("3", "4"), value_distance("abc", "abd")
    (0.5, 0.5)
    """
    distance = _difference(one, other)
    if distance is None:
        distance = float(edit_distance(one, other))
    return distance / (1 + distance)


def edit_distance(one: str, other: str) -> int:
    """Levenshtein's: insertions, deletions and replacements.

    >>> edit_distance("kitten", "sitting")
    3
    """
    row = list(range(len(other) + 1))
    for left, char in enumerate(one, 1):
        diagonal, row[0] = row[0], left
        for right, each in enumerate(other, 1):
            diagonal, row[right] = row[right], min(row[right] + 1, row[right - 1] + 1, diagonal + (char != each))
    return row[-1]


def _names(path: Path) -> list[str]:
    return [f"{call.transition.source}::{call.transition.action}" for call in path]


def _difference(one: str, other: str) -> float | None:
    """None if one of them is no number."""
    try:
        difference = abs(float(one) - float(other))
    except ValueError:
        return None
    return difference if difference < float("inf") else None
