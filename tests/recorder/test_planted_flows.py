"""The recorder finds every planted flow, with its location and the lines at both ends."""

import importlib.util

from planted_suites import Record, marks, planted_flows, what_is_wrong

from unknot.model.recording import FlowKind


def test_every_flow_is_found_with_both_lines(recorded: Record, free_port: int) -> None:
    project, recording = recorded("planted")
    marked = marks(project, port=free_port)
    possible = [
        flow
        for flow in planted_flows(project, port=free_port)
        if not flow.impossible and (not flow.needs or importlib.util.find_spec(flow.needs))
    ]
    wrong = {str(flow): what_is_wrong(recording, flow, marked) for flow in possible}
    missing = [f"{flow}: {what}" for flow, what in wrong.items() if what]
    right = len(possible) - len(missing)
    assert not missing, "\n".join([f"{right} of {len(possible)} are right; not these:", *missing])


def test_what_cannot_be_recorded_as_read_is_at_least_left_behind(recorded: Record, free_port: int) -> None:
    """A read that Python hides does not hide the write."""
    project, recording = recorded("planted")
    left = {(left.test, left.location.name) for left in recording.left}
    hidden = [flow for flow in planted_flows(project, port=free_port) if flow.impossible and "program" not in flow.why]
    assert [str(flow) for flow in hidden if (flow.writer, flow.name) not in left] == []


def test_reading_near_a_location_does_not_read_it(recorded: Record, free_port: int) -> None:
    project, recording = recorded("planted")
    wrong = [
        f"{flow.location.name}: {flow.writer} -> {flow.reader}"
        for planted in planted_flows(project, port=free_port)
        for flow in recording.flows
        if flow.kind is FlowKind.READ_AFTER_WRITE
        and flow.location.name in planted.names
        and flow.reader in planted.not_by
    ]
    assert wrong == []


def test_recording_changes_no_outcome(recorded: Record) -> None:
    _, recording = recorded("planted")
    assert {outcome.value for outcome in recording.outcomes.values()} <= {"passed", "skipped"}
    assert {test: outcome.value for test, outcome in recording.outcomes.items() if outcome.value == "skipped"} == {}
