"""How logging is set up."""

import logging

LINES = []


class ToList(logging.Handler):
    def emit(self, record):
        LINES.append(record.getMessage())  # writes: test_logs.LINES


def test_level_is_lowered():
    logging.getLogger("shop").setLevel(logging.DEBUG)  # writes: logging.getLogger('shop').level


def test_level():
    assert logging.getLogger("shop.orders").isEnabledFor(logging.DEBUG)  # reads: logging.getLogger('shop').level


def test_handler_is_added():
    logging.getLogger("shop.audit").addHandler(ToList())  # writes: logging.getLogger('shop.audit').handlers


def test_handled():
    logging.getLogger("shop.audit").error("sold out")  # reads: logging.getLogger('shop.audit').handlers
    assert LINES == ["sold out"]


def test_lines_stay():
    assert len(LINES) == 1  # reads: test_logs.LINES


def test_propagation_is_off():
    logging.getLogger("shop.quiet").propagate = False  # writes: logging.getLogger('shop.quiet').propagate


def test_propagation():
    assert not logging.getLogger("shop.quiet").propagate  # reads: logging.getLogger('shop.quiet').propagate


def test_logging_is_disabled():
    logging.disable(logging.ERROR)  # writes: logging.root.manager.disable


def test_no_errors():
    assert not logging.getLogger("shop.server").isEnabledFor(logging.ERROR)  # reads: logging.root.manager.disable


def test_logging_is_put_back():
    logging.disable(logging.NOTSET)
