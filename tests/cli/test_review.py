"""What a review says in the end can be put into a configuration, and does nothing to a terminal."""

import io
import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from unknot.cli.interruption import Interruption
from unknot.cli.review import review
from unknot.cli.terminal import TerminalProgress


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, unique=True))
def test_free_values_are_printed_as_toml_that_reads_the_same(values: list[str]) -> None:
    output = io.StringIO()
    terminal = TerminalProgress(Console(file=output, width=10**6), Interruption())
    review((), values, Path("nowhere"), terminal, lambda _: "q")

    last = output.getvalue().splitlines()[-1]
    assert tomllib.loads(last) == {"free-values": values}
    assert last.isprintable()
