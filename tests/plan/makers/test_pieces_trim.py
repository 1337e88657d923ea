"""What may be taken out of finished orders, and what may not."""

from unknot.model.bits import bits
from unknot.plan.constraints.order_constraints import derive_constraints
from unknot.plan.makers.pieces import Piece, trim

from ..plan_cases import conflict, dependencies_of, need

KNOTS = dependencies_of("p q c v a", needs=[need("a", "p q")], conflicts=[conflict("v", "p", "c")])
P, Q, C, V, A = range(5)
TIES = derive_constraints(KNOTS, [1.0] * 5, expensive=100.0, clean_state=0.0)


def _trimmed(*orders: Piece) -> list[int]:
    return trim(orders, TIES)


def _piece(*places: int, last: bool = False, is_prefix: bool = False) -> Piece:
    return Piece(bits(places), float(len(places)), last=last, is_prefix=is_prefix)


def test_a_test_that_no_other_needs_stays_in_one_order_only() -> None:
    assert _trimmed(_piece(C, Q), _piece(C, V)) == [bits([Q]), bits([C, V])]


def test_a_prerequisite_stays_unless_another_alternative_is_there() -> None:
    assert _trimmed(_piece(P, A), _piece(P)) == [bits([P, A]), 0]
    assert _trimmed(_piece(P, Q, A), _piece(P)) == [bits([Q, A]), bits([P])]


def test_a_cleaner_stays_where_its_polluter_runs_before_its_victim() -> None:
    assert _trimmed(_piece(P, C, V), _piece(C)) == [bits([P, C, V]), 0]
    assert _trimmed(_piece(C, V), _piece(C)) == [bits([V]), bits([C])]


def test_a_beginning_of_the_reference_order_stays_whole_and_relieves_the_others() -> None:
    assert _trimmed(_piece(P, Q, is_prefix=True), _piece(P, C)) == [bits([P, Q]), bits([C])]


def test_an_order_that_ends_its_process_neither_gives_nor_takes() -> None:
    assert _trimmed(_piece(P, C), _piece(P, Q, last=True)) == [bits([P, C]), bits([P, Q])]
