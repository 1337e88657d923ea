"""What each test takes with it, and which pieces may share an order."""

from unknot.model.bits import WeightTable, bits
from unknot.model.dependencies import Dependencies
from unknot.plan.constraints.order_constraints import Exclusion, OrderConstraints, derive_constraints
from unknot.plan.makers.pieces import Piece, cut

from ..plan_cases import conflict, dependencies_of, need


def _tied(dependencies: Dependencies, expensive: float = 100.0) -> OrderConstraints:
    return derive_constraints(
        dependencies, [dependencies.seconds[test] for test in dependencies.suite.tests], expensive, clean_state=0.0
    )


def test_a_row_holds_prerequisites_and_cleaners_with_all_that_they_need() -> None:
    needs = [need("c", "b"), need("a", "v")]
    constraints = _tied(dependencies_of("p b c v a", needs=needs, conflicts=[conflict("v", "p", "c")]))
    assert constraints.closures[4] == bits([1, 2, 3, 4])
    assert not constraints.unresolved


def test_a_conflict_whose_polluter_follows_the_victim_adds_no_constraint() -> None:
    constraints = _tied(dependencies_of("c v p", conflicts=[conflict("v", "p", "c")]))
    assert constraints.closures[1] == bits([1])
    assert not constraints.unresolved


def test_a_test_that_needs_a_victim_without_cleaner_must_keep_away_from_the_polluter_too() -> None:
    constraints = _tied(dependencies_of("p v a", needs=[need("a", "v")], conflicts=[conflict("v", "p")]))
    assert constraints.unresolved == {1: frozenset({Exclusion(1, 0)}), 2: frozenset({Exclusion(1, 0)})}
    assert not constraints.reference_only


def test_a_test_is_stuck_that_needs_a_victim_and_its_polluter_or_a_stuck_test() -> None:
    needs = [need("a", "v"), need("a", "p"), need("b", "a")]
    assert _tied(dependencies_of("p v a b", needs=needs, conflicts=[conflict("v", "p")])).reference_only == {2, 3}


def test_a_need_that_nothing_earlier_meets_makes_stuck_also_what_needs_its_dependent() -> None:
    assert _tied(dependencies_of("a b c", needs=[need("a", "c"), need("b", "a")])).reference_only == {0, 1}


def test_an_expensive_cleaner_is_included_only_if_the_victim_needs_its_polluter() -> None:
    clash = [conflict("v", "p", "c")]
    free = _tied(dependencies_of("p c v", conflicts=clash, seconds={"c": 50.0}), expensive=10.0)
    assert (free.closures[2], set(free.unresolved)) == (bits([2]), {2})
    bound = _tied(
        dependencies_of("p c v", needs=[need("v", "p")], conflicts=clash, seconds={"c": 50.0}), expensive=10.0
    )
    assert (bound.closures[2], set(bound.unresolved)) == (bits([0, 1, 2]), set())


def test_pieces_join_unless_that_brings_a_victim_its_polluter() -> None:
    victim = Piece(bits([2]), 1.0, frozenset({Exclusion(bits([0]), bits([1]))}))
    assert victim.may_join(Piece(bits([3]), 1.0))
    assert victim.may_join(Piece(bits([0, 1]), 1.0))
    assert not victim.may_join(Piece(bits([0]), 1.0))
    assert not Piece(bits([0]), 1.0).may_join(victim)
    assert not victim.may_join(Piece(bits([3]), 1.0, last=True))
    assert not victim.may_join(Piece(bits([3]), 1.0, is_prefix=True))


def test_victims_that_pollute_each_other_are_cut_apart_though_there_is_room() -> None:
    dependencies = dependencies_of("p v w x", conflicts=[conflict("v", "p"), conflict("w", "v"), conflict("x", "p")])
    pieces = cut(_tied(dependencies), range(4), WeightTable([1.0] * 4), most=100.0, groups=["one"] * 4)
    assert [piece.members for piece in pieces] == [bits([0]), bits([1, 3]), bits([2])]
