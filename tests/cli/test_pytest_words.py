"""Options of pytest among those of a verb."""

import argparse

import pytest

from unknot.cli.options import OptionGroup
from unknot.cli.pytest_words import _known_to_pytest, split_words
from unknot.cli.run import add_options
from unknot.model.errors import UsageError


@pytest.fixture(scope="module")
def verb() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="unknot run")
    add_options(OptionGroup(parser))
    return parser


@pytest.mark.parametrize(
    ("given", "ours", "pytests"),
    [
        ("-n 4 -x -k cart", "-n 4", "-x -k cart"),
        ("tests -k cart tests/more", "tests tests/more", "-k cart"),
        ("-n4 -kcart -rA tests", "-n4 tests", "-kcart -rA"),
        ("-xvs tests", "tests", "-xvs"),
        ("-xvk cart tests", "tests", "-xvk cart"),
        ("--maxfail 2 --maxfail=3 --shard 1/2 --lf", "--shard 1/2", "--maxfail 2 --maxfail=3 --lf"),
        ("-m slow --durations 5 --planner=greedy", "--planner=greedy", "-m slow --durations 5"),
        ("-p no:cov -W error -o a=b -c x.ini -q", "", "-p no:cov -W error -o a=b -c x.ini -q"),
        ("--junit-xml out.xml --tb short --frozen -v", "--frozen", "--junit-xml out.xml --tb short -v"),
        ("--timeout 5 --added-by-conftest tests", "--timeout 5 tests", "--added-by-conftest"),
        ("--pdb test_it.py::test[a]", "test_it.py::test[a]", "--pdb"),
    ],
)
def test_each_word_goes_to_the_one_that_knows_it(
    verb: argparse.ArgumentParser, given: str, ours: str, pytests: str
) -> None:
    assert split_words(verb, given.split()) == (ours.split(), pytests.split())


def test_values_of_options_of_plugins_are_not_taken_for_paths(
    verb: argparse.ArgumentParser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    _known_to_pytest.cache_clear()
    given = ["tests", "--cov", "shop", "--cov-branch", "--cov-report", "term-missing"]
    assert split_words(verb, given) == (["tests"], given[1:])


def test_a_mistyped_option_is_not_pytests(verb: argparse.ArgumentParser) -> None:
    with pytest.raises(UsageError) as error:
        split_words(verb, ["--shrad", "2/6"])
    assert error.value.slug == "option-unknown"
    assert "Did you mean `--shard`?" in error.value.hint
