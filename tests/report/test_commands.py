"""What a reader copies into a shell does what it says."""

import os
import shlex
import shutil
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.suite import Order, TestId
from unknot.report.commands import printable_command

_ECHO = (sys.executable, "-c", "import sys; print(ascii(sys.argv[1:]))")


def test_a_plain_order_needs_no_quotes() -> None:
    order = (TestId("tests/test_a.py::test_x"), TestId("tests/test_a.py::test_y"))
    assert printable_command(("pytest",), order) == "pytest tests/test_a.py::test_x tests/test_a.py::test_y"


def test_spaces_and_brackets_are_quoted() -> None:
    order = (TestId("tests/test_a.py::test_x[a b]"),)
    assert printable_command(("python", "-m", "pytest"), order) == "python -m pytest 'tests/test_a.py::test_x[a b]'"


@given(data=st.data())
def test_every_command_prints_and_splits_into_its_order_again(
    data: st.DataObject, ids: st.SearchStrategy[TestId]
) -> None:
    order = tuple(data.draw(st.lists(ids, max_size=5)))
    shown = printable_command(("pytest", "-p", "no:x y"), order)
    assert shown.isprintable()
    if "".join(order).isprintable():
        assert shown == shlex.join(["pytest", "-p", "no:x y", *order])
        assert shlex.split(shown) == ["pytest", "-p", "no:x y", *order]


def test_a_posix_shell_hands_over_every_printable_nasty_id(nasty: Order) -> None:
    printable = tuple(test for test in nasty if test.isprintable())
    assert printable
    assert _through("sh", printable_command(_ECHO, printable)) == ascii(list(printable))


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_hands_over_every_nasty_id_from_the_printable_command(nasty: Order) -> None:
    assert _through("bash", printable_command(_ECHO, nasty)) == ascii(list(nasty))


def _through(shell: str, command: str) -> str:
    # As bytes and in UTF-8 mode: one id holds a byte that is not UTF-8.
    environment = {**os.environ, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    script = command.encode("utf-8", "surrogateescape")
    return (
        subprocess.run([shell, "-c", script], check=True, capture_output=True, env=environment).stdout.decode().strip()
    )
