"""Suites that look at code."""

import ast
import dis
import inspect
import sys
import types

import odd
import pytest
from odd import state


def test_source_of_a_function():
    assert "total = a + b" in inspect.getsource(state.add)


def test_source_of_a_class_and_a_test():
    assert inspect.getsource(state.Child).startswith("class Child(Base):")
    assert "inspect.getsource" in inspect.getsource(test_source_of_a_class_and_a_test)


def test_signature():
    assert str(inspect.signature(state.add)) == "(a, b=2, *, c=3)"


def test_code_is_as_written():
    module = ast.parse(inspect.getsource(state))
    names = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    assert "add" in names
    assert state.add.__code__.co_varnames == ("a", "b", "c", "total")
    assert any(step.opname.startswith("RETURN") for step in dis.get_instructions(state.add))


def test_members_of_a_module():
    members = dict(inspect.getmembers(state, inspect.isclass))
    assert {"Thing", "Mortal", "Point", "Base", "Child"} <= set(members)
    assert inspect.ismodule(state)
    assert type(odd) is types.ModuleType
    assert "NEVER_CHANGED" in dir(state)
    assert vars(state)["NEVER_CHANGED"] is state.NEVER_CHANGED


def test_nobody_traces():
    assert sys.getprofile() is None


def test_own_tracer():
    lines = []

    def tracer(frame, event, argument):
        if frame.f_code is state.add.__code__ and event == "line":
            lines.append(frame.f_lineno - frame.f_code.co_firstlineno)
        return tracer

    former = sys.gettrace()
    sys.settrace(tracer)
    try:
        state.add(1)
    finally:
        sys.settrace(former)
    assert lines == [2, 3]


def test_own_tracer_that_stays_in_one_test():
    events = []
    former = sys.gettrace()
    sys.settrace(lambda frame, event, argument: events.append(event))
    state.add(1)
    sys.settrace(former)
    assert "call" in events


def test_own_profiler():
    called = []
    former = sys.getprofile()
    sys.setprofile(lambda frame, event, argument: called.append((event, frame.f_code.co_name)))
    state.add(1)
    sys.setprofile(former)
    assert ("call", "add") in called


def test_coverage_measures(tmp_path):
    coverage = pytest.importorskip("coverage")
    measuring = coverage.Coverage(data_file=str(tmp_path / "data"), include=[state.__file__], config_file=False)
    former = sys.gettrace()
    measuring.start()
    state.add(1)
    measuring.stop()
    sys.settrace(former)
    lines = measuring.get_data().lines(state.__file__)
    first = state.add.__code__.co_firstlineno
    assert {first + 2, first + 3} <= set(lines)


def test_assertions_are_rewritten():
    with pytest.raises(AssertionError, match=r"assert 1 == 2"):
        assert len([1]) == 2
    with pytest.raises(AssertionError) as caught:
        assert state.NEVER_CHANGED == {"a": 2}
    assert "'a': 1" in str(caught.value)
    assert "'a': 2" in str(caught.value)


def test_frames():
    assert sys._getframe().f_code.co_name == "test_frames"
    assert inspect.stack()[0].function == "test_frames"
    assert inspect.stack()[0].frame.f_globals is globals()
