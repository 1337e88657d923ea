"""The configuration of a command: what is understood, and how mistakes are found."""

import tomllib

import pytest

from unknot.model.errors import UsageError
from unknot.runners.command.config import command_spec

LINES = "(?P<outcome>\\\\w+) (?P<test>.*)"


def read(text: str) -> dict[str, object]:
    return tomllib.loads(text)


def test_everything_that_can_be_said() -> None:
    spec = command_spec(
        read(f"""
        run = "./run --report={{results}} --port '{{port0}}' {{tests}}"
        list = ["./run", "--list", "a b"]
        list-pattern = "^- (?P<test>.*)"
        separator = ";"
        results = "lines"
        pattern = "{LINES}"
        words = {{ GOOD = "passed" }}
        check-order = false
        files = ["src/**/*.c", "t/*"]
        env = {{ HOME = "{{dir}}" }}
        statuses = [0, 1]
        """),
        "unknot.toml: [command]",
    )
    assert spec.run == ("./run", "--report={results}", "--port", "{port0}", "{tests}")
    assert spec.list == ("./run", "--list", "a b")
    assert spec.list_pattern == "^- (?P<test>.*)"
    assert spec.separator == ";"
    assert spec.results.format == "lines"
    assert spec.results.file == "{results}"
    assert spec.results.words == (("GOOD", "passed"),)
    assert not spec.results.checks_order
    assert spec.files == ("src/**/*.c", "t/*")
    assert spec.environment == (("HOME", "{dir}"),)
    assert spec.statuses == (0, 1)
    assert not spec.one_by_one


def test_the_least_that_must_be_said() -> None:
    spec = command_spec(read('run = "./t {test}"\ntests = ["a", "b"]'), "here")
    assert spec.one_by_one
    assert spec.results.format == "exit-status"
    assert spec.results.checks_order
    assert spec.tests == ("a", "b")


@pytest.mark.parametrize(
    ("text", "key", "wanted"),
    [
        ('tests = ["a"]', "run", "is missing"),
        ('run = ""\ntests = ["a"]', "run", "empty"),
        ("run = 5", "run", "list of words"),
        ('run = "a \' b"', "run", "quotation"),
        ('run = "./t {test} {tests}"\ntests = ["a"]', "run", "{test} and {tests}"),
        ('run = "./t {test} {tests_file}"\ntests = ["a"]', "run", "{test} and {tests}"),
        ('run = "./t"\ntests = ["a"]', "run", "which tests"),
        ('run = "./t {tets}"', "run", "{tets} means nothing here"),
        ('run = "awk {print}{ {tests}"', "run", "single `{`"),
        ('run = "./t {tests}"\ntests = ["a"]', "results", "is missing"),
        ('run = "./t {tests}"\ntests = ["a"]\nresults = "exit-status"', "results", "one test"),
        ('run = "./t {tests}"\ntests = ["a"]\nresults = "xml"', "results", "one of junit"),
        ('run = "./t {test}"', "list", "is missing"),
        ('run = "./t {test}"\ntests = []', "tests", "is empty"),
        ('run = "./t {test}"\ntests = "a"', "tests", "list of texts"),
        ('run = "./t {test}"\ntests = ["a", "a"]', "tests", "twice"),
        ('run = "./t {test}"\ntests = ["a\\nb"]', "tests", "end of line"),
        ('run = "./t {test}"\ntests = ["a"]\nlist = "ls"', "tests", "both"),
        ('run = "./t {test}"\nlist = "ls {port0}"', "list", "{port0} means nothing"),
        ('run = "./t {test}"\nlist = "ls"\nlist-pattern = "("', "list-pattern", "regular expression"),
        ('run = "./t {test}"\nlist = "ls"\nlist-pattern = "a"', "list-pattern", "group named `test`"),
        ('run = "./t {test}"\ntests = ["a"]\nlist-pattern = "(?P<test>a)"', "list-pattern", "without `list`"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "lines"', "pattern", "is missing"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "lines"\npattern = "("', "results", "regular expression"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "lines"\npattern = "(?P<test>a)"', "results", "`outcome`"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "tap"\npattern = "a"', "pattern", "means nothing"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "tap"\nid = "{name}"', "id", "means nothing"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "junit"\nid = "{nome}"', "results", "nome"),
        (
            f'run = "./t {{test}}"\ntests = ["a"]\nresults = "lines"\npattern = "{LINES}"\nwords = {{ A = "gut" }}',
            "results",
            "gut",
        ),
        (
            f'run = "./t {{test}}"\ntests = ["a"]\nresults = "lines"\npattern = "{LINES}"\nwords = ["A"]',
            "words",
            "table",
        ),
        ('run = "./t {test}"\ntests = ["a"]\nresults-file = "x"', "results-file", "exit status"),
        ('run = "./t {test} {results}"\ntests = ["a"]', "run", "exit status"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "tap"\nresults-file = "../x"', "results-file", "working"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "tap"\nresults-file = "/x"', "results-file", "working"),
        ('run = "./t {test}"\ntests = ["a"]\nresults = "tap"\nresults-file = "{test}"', "results-file", "{test}"),
        ('run = "./t {test}"\ntests = ["a"]\ncheck-order = "no"\nresults = "tap"', "check-order", "true or false"),
        ('run = "./t {test}"\ntests = ["a"]\nfiles = "src"', "files", "list of texts"),
        ('run = "./t {test}"\ntests = ["a"]\nenv = { A = 5 }', "env.A", "text"),
        ('run = "./t {test}"\ntests = ["a"]\nenv = { A = "{test}" }', "env.A", "{test} means nothing"),
        ('run = "./t {test}"\ntests = ["a"]\nstatuses = [true]', "statuses", "numbers"),
        ('run = "./t {test}"\ntests = ["a"]\nstatuses = [256]', "statuses", "numbers"),
        ('run = "./t {test}"\ntests = ["a"]\nseparator = 5', "separator", "text"),
    ],
)
def test_mistakes_name_the_file_the_key_and_what_is_wanted(text: str, key: str, wanted: str) -> None:
    with pytest.raises(UsageError) as caught:
        command_spec(read(text), "unknot.toml: [command]")
    assert caught.value.message.startswith(f"unknot.toml: [command]: `{key}`")
    assert wanted in caught.value.message


def test_an_unknown_key_has_a_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"unknown key `seperator`; did you mean `separator`"):
        command_spec(read('run = "a {tests}"\nseperator = ","'), "here")
