"""The distance of tests: the worked examples of the paper, and laws."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.navigation_graph import Parameter, Transition
from unknot.web.generate.call import Path, PlannedCall
from unknot.web.generate.distance import ActionSequence, PathDistance, edit_distance, value_distance

NAMES = st.lists(st.sampled_from("abcd"), max_size=12)
TEXTS = st.text(alphabet="ab1", max_size=6)

LOGIN = Transition("login", "Login", "Boards", (Parameter("credentials"),))
SIGN_OUT = Transition("signOut", "Boards", "Login")
ADD_BOARD = Transition("addNewBoard", "Boards", "Board", (Parameter("board"),))
BACK = Transition("goToBoardsPage", "Board", "Boards")


def login(credentials: str) -> PlannedCall:
    return PlannedCall(LOGIN, (("credentials", credentials),))


FIRST: Path = (login("credentials1"), PlannedCall(SIGN_OUT))
SECOND: Path = (login("credentials2"), PlannedCall(ADD_BOARD, (("board", "board"),)), PlannedCall(BACK))
THIRD: Path = (login("credentials2"), PlannedCall(SIGN_OUT))


def distance(one: Path, other: Path, *, with_inputs: bool) -> float:
    return PathDistance(one, with_inputs=with_inputs).to(PathDistance(other, with_inputs=with_inputs))


def test_the_worked_example_of_the_paper() -> None:
    assert distance(FIRST, SECOND, with_inputs=True) == 3.5
    assert distance(FIRST, THIRD, with_inputs=True) == 0.5


def test_without_inputs_only_actions_count() -> None:
    assert distance(FIRST, SECOND, with_inputs=False) == 3
    assert distance(FIRST, THIRD, with_inputs=False) == 0


def test_a_parameter_with_listed_values_is_equal_or_not() -> None:
    choose = Transition("choose", "A", "A", (Parameter("size", values=("1", "2", "9")),))
    one, other = (PlannedCall(choose, (("size", value),)) for value in ("1", "2"))
    assert distance((one,), (other,), with_inputs=True) == 1


def test_the_example_that_is_printed_wrong_is_four() -> None:
    assert ActionSequence("abbc").distance("ebcf") == 4


@given(NAMES, NAMES)
def test_the_common_subsequence_is_common_and_as_long_as_any(one: list[str], other: list[str]) -> None:
    matched = ActionSequence(one).common(other)
    assert all(one[left] == other[right] for left, right in matched)
    assert matched == sorted(matched)
    assert len({left for left, _ in matched}) == len({right for _, right in matched}) == len(matched)
    assert len(matched) == longest_common(one, other)
    assert ActionSequence(one).distance(other) == len(one) + len(other) - 2 * len(matched)


@given(NAMES, NAMES, NAMES)
def test_the_distance_of_actions_is_a_metric(one: list[str], other: list[str], third: list[str]) -> None:
    def between(left: list[str], right: list[str]) -> int:
        return ActionSequence(left).distance(right)

    assert (between(one, other) == 0) == (one == other)
    assert between(one, other) == between(other, one)
    assert between(one, third) <= between(one, other) + between(other, third)


@given(TEXTS, TEXTS, TEXTS)
def test_the_edit_distance_is_a_metric(one: str, other: str, third: str) -> None:
    assert (edit_distance(one, other) == 0) == (one == other)
    assert edit_distance(one, other) == edit_distance(other, one)
    assert edit_distance(one, third) <= edit_distance(one, other) + edit_distance(other, third)


@given(st.text(max_size=8), st.text(max_size=8))
def test_the_distance_of_values_is_below_one(one: str, other: str) -> None:
    assert 0 <= value_distance(one, other) < 1
    assert value_distance(one, one) == 0


def longest_common(one: list[str], other: list[str]) -> int:
    """By the definition, one cell for each pair of positions."""
    row = [0] * (len(other) + 1)
    for left in one:
        before, row = row, [0] * (len(other) + 1)
        for place, right in enumerate(other, 1):
            row[place] = before[place - 1] + 1 if left == right else max(before[place], row[place - 1])
    return row[-1]
