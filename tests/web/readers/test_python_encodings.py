"""Python files are read in the encoding that they say they are in."""

from pathlib import Path

import pytest

from unknot.app.candidates.suite_code import string_uses_of
from unknot.app.configuration import PYTEST
from unknot.model.suite import Suite, TestId
from unknot.runners.protocol import Listing

CODE = "def test_it(page): page.fill('#x', 'José')\n"


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        (f"# -*- coding: latin-1 -*-\n{CODE}".encode("latin-1"), "José"),
        (f"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\r\n{CODE}".encode("cp1252"), "José"),
        (CODE.encode("utf-8-sig"), "José"),
        (CODE.encode(), "José"),
        (CODE.encode("latin-1"), "Jos\ufffd"),
        (f"# coding: nonesuch\n{CODE}".encode(), "José"),
        (f"# coding: rot13\n{CODE}".encode(), "José"),
        (f"# coding: undefined\n{CODE}".encode(), "José"),
    ],
)
def test_what_is_typed_is_read_in_the_encoding_of_its_file(content: bytes, typed: str, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_bytes(content)
    test = TestId("test_it.py::test_it")

    (use,) = string_uses_of(Listing(Suite((test,)), (), tmp_path, (), ()), PYTEST)

    assert [mention.text for mention in use.submitted] == [typed]
    assert use.gaps == ()
