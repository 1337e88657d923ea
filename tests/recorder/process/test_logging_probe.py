import logging
from collections.abc import Iterator

import pytest
from process_changes import LOGGING

from unknot.recorder.inside.process.logging_probe import LoggingProbe
from unknot.recorder.inside.process.state import ProcessState


@pytest.fixture(autouse=True)
def loggers() -> Iterator[None]:
    """The tree of loggers, restored afterwards."""
    manager = logging.root.manager
    before = dict(manager.loggerDict)
    saved = logging.root.level, logging.root.handlers[:], manager.disable
    yield
    manager.loggerDict.clear()
    manager.loggerDict.update(before)
    logging.root.setLevel(saved[0])
    logging.root.handlers[:] = saved[1]
    logging.disable(saved[2])


@pytest.fixture
def state() -> ProcessState:
    found = ProcessState([LoggingProbe()])
    assert found.compare() == []
    return found


@pytest.mark.parametrize("name", LOGGING)
def test_a_change_is_reported_once(name: str, state: ProcessState) -> None:
    LOGGING[name]()
    (seen,) = state.compare()
    assert (seen.kind, seen.name) == ("memory", name)
    assert seen.fingerprint != seen.fingerprint_clean
    assert state.compare() == []


def test_a_new_logger_is_no_change_but_what_was_done_to_it_is(state: ProcessState) -> None:
    logging.getLogger("fresh.one")
    assert state.compare() == []
    logging.getLogger("fresh").setLevel(logging.ERROR)
    (seen,) = state.compare()
    assert (seen.name, seen.shown) == ("logging.getLogger('fresh').level", "ERROR")


def test_restored_is_clean_again(state: ProcessState) -> None:
    logger = logging.getLogger("fresh")
    logger.propagate = False
    (changed,) = state.compare()
    logger.propagate = True
    (seen,) = state.compare()
    assert seen.fingerprint == seen.fingerprint_clean != changed.fingerprint


def test_logging_itself_is_no_change(state: ProcessState) -> None:
    logging.getLogger("fresh").warning("hello")
    logging.getLogger("fresh").isEnabledFor(logging.DEBUG)
    assert state.compare() == []


def test_pytests_handlers_are_no_change(state: ProcessState, caplog: pytest.LogCaptureFixture) -> None:
    logging.root.addHandler(caplog.handler)
    assert state.compare() == []
    logging.root.handlers.clear()
    assert state.compare() == []


def test_the_level_that_pytest_sets_for_a_phase_is_no_change(
    state: ProcessState, caplog: pytest.LogCaptureFixture
) -> None:
    before = logging.root.level
    with caplog.at_level(logging.DEBUG):
        assert state.compare() == []
    assert logging.root.level == before
    assert state.compare() == []


def test_the_level_of_an_added_handler_is_shown(state: ProcessState) -> None:
    handler = logging.StreamHandler()
    handler.setLevel(logging.ERROR)
    logging.getLogger("fresh").addHandler(handler)
    (seen,) = state.compare()
    assert seen.shown == "[<logging.StreamHandler object> of level ERROR]"


def test_loggers_and_handlers_of_other_classes_are_never_called(state: ProcessState) -> None:
    class Called(BaseException):
        pass

    class Handler(logging.NullHandler):
        def __eq__(self, other: object) -> bool:
            raise Called

        def __hash__(self) -> int:
            raise Called

        def __repr__(self) -> str:
            raise Called

    class Logger(logging.Logger):
        armed = False

        def __getattribute__(self, name: str) -> object:
            if Logger.armed:
                raise Called
            return super().__getattribute__(name)

    class WithoutLevel(logging.Logger):
        @property
        def level(self) -> int:
            raise Called

        @level.setter
        def level(self, value: int) -> None:
            pass

    handler: object = object.__new__(Handler)
    vars(handler).update(level=0, _name="x")
    logging.root.manager.loggerDict["its"] = Logger("its")
    logging.root.manager.loggerDict["other"] = WithoutLevel("other")
    logging.getLogger("fresh").handlers.append(handler)  # type: ignore[arg-type]
    vars(logging.getLogger("its"))["level"] = 10
    Logger.armed = True
    try:
        found = {seen.name: seen.shown for seen in state.compare()}
    finally:
        Logger.armed = False
    assert found["logging.getLogger('its').level"] == "DEBUG"
    assert "Handler object>" in found["logging.getLogger('fresh').handlers"]
