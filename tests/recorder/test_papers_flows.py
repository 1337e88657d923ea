"""The examples of the papers, rewritten in Python: the recorder finds the data dependencies that they describe."""

from planted_suites import Record, found_flow, marks, planted_flows, what_is_wrong

from unknot.model.outcome import Outcome
from unknot.model.recording import FlowKind
from unknot.model.suite import Suite, TestId

_HERE = "test_data_source.py::TestDataSource::"
_SET_FIELD, _SET_CLONE_STRING, _TO_STRING = (
    TestId(_HERE + name) for name in ("test_set_field", "test_set_clone_string", "test_to_string")
)


def test_crystals_data_source(recorded: Record) -> None:
    project, recording = recorded("papers/crystal")
    marked = marks(project)
    wrong = {str(flow): what_is_wrong(recording, flow, marked) for flow in planted_flows(project) if not flow.needs}
    assert {flow: what for flow, what in wrong.items() if what} == {}


def test_crystals_aliasing_shows_in_the_other_order(recorded: Record) -> None:
    project, recording = recorded("papers/crystal", _SET_FIELD, _TO_STRING, _SET_CLONE_STRING)
    (planted,) = (flow for flow in planted_flows(project) if flow.needs)
    assert recording.outcomes[_SET_CLONE_STRING] is Outcome.FAILED
    assert what_is_wrong(recording, planted, marks(project)) == ""


def test_crystals_own_order_has_no_such_flow(recorded: Record) -> None:
    project, recording = recorded("papers/crystal")
    (planted,) = (flow for flow in planted_flows(project) if flow.needs)
    assert found_flow(recording, planted) is None
    assert set(recording.outcomes.values()) == {Outcome.PASSED}


def test_joint_dependency(recorded: Record) -> None:
    project, recording = recorded("papers/joint")
    marked = marks(project)
    wrong = {str(flow): what_is_wrong(recording, flow, marked) for flow in planted_flows(project)}
    assert {flow: what for flow, what in wrong.items() if what} == {}


def test_joint_dependency_has_the_papers_graph(recorded: Record) -> None:
    """The edge from the second test to the first is one of those that no order can show to matter."""
    _, recording = recorded("papers/joint")
    suite = Suite(recording.tests)
    raw = [flow for flow in recording.flows if flow.kind is FlowKind.READ_AFTER_WRITE]
    assert {(suite.index[flow.reader], suite.index[flow.writer]) for flow in raw} == {(1, 0), (2, 0), (2, 1)}
    assert set(recording.may_need(suite).edges()) == {(2, 0), (2, 1)}
