"""Input that nobody should send, through the command line: a clear error, or it simply works. Nothing is executed."""

import sys
from pathlib import Path

import pytest
from planted_project import TRUTH, Project

from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

SECRET = "the-secret-of-another-file"

DOCUMENTS = {
    "a DTD": '<!DOCTYPE testsuite><testsuite><testcase name="plain1"/></testsuite>',
    "an entity bomb": "<!DOCTYPE s [<!ENTITY a '"
    + "x" * 1000
    + "'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1 or str()};' * 10}'>" for n in range(1, 10))
    + ']><testsuite><testcase name="&a9;"/></testsuite>',
    "an entity from a file": '<!DOCTYPE s [<!ENTITY x SYSTEM "file://{secret}">]>'
    '<testsuite><testcase name="plain1"><failure>&x;</failure></testcase></testsuite>',
    "a DTD from elsewhere": '<!DOCTYPE s SYSTEM "file://{secret}"><testsuite><testcase name="plain1"/></testsuite>',
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_with_entities_is_refused_and_no_file_is_read(
    project: Project, tmp_path: Path, document: str
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    project.write("evil.xml", DOCUMENTS[document].replace("{secret}", str(secret)))
    command = 'run = ["sh", "-c", "cp evil.xml $0", "{results}", "{tests}"]\nresults = "junit"\nid = "{name}"\n'
    project.configure(command, tests=["plain1"])
    done = project.detect_here()
    project.check_clear_error(done)
    assert "document type" in done.stderr
    assert SECRET not in done.stdout + done.stderr
    assert all(SECRET.encode() not in path.read_bytes() for path in project.directory.rglob("*") if path.is_file())


def hostile(executed: Path) -> list[str]:
    """Ids that would do harm to whoever gives them to a shell, takes them for paths, options or templates."""
    return [
        "../../../../etc/passwd",
        "/etc/passwd",
        f"$(touch {executed})",
        f"; touch {executed}",
        f"`touch {executed}`",
        f"| touch {executed}",
        f"a && touch {executed} #",
        "-rf",
        "--help",
        "{test} {results} {{",
        "%s %n",
        'it\'s "quoted" \\ once',
        "*",
        "~",
        "two words",
        "né ☃ 日本",
        "x" * 4000,
    ]


ONE_BY_ONE = 'run = ["sh", "-c", "test -n \\"$1\\" && printf %s \\"$1\\" >> told", "one", "{test}"]\n'
BY_FILE = """run = ["sh", "-c", 'while IFS= read -r t; do echo "passed $t"; done < "$0"', "{tests_file}"]
results = "lines"
pattern = '(?P<outcome>passed|failed) (?P<test>.*)'
"""
BY_WORDS = BY_FILE.replace('while IFS= read -r t; do echo "passed $t"; done < "$0"', 'printf "passed %s\\n" "$@"')
BY_WORDS = BY_WORDS.replace('"{tests_file}"', '"all", "{tests}"')


@pytest.mark.parametrize("command", [ONE_BY_ONE, BY_FILE, BY_WORDS], ids=["one by one", "by file", "by words"])
def test_hostile_ids_stay_words_and_lines(project: Project, tmp_path: Path, command: str) -> None:
    executed = tmp_path / "executed"
    tests = hostile(executed)
    project.write("ids.txt", "".join(f"{test}\n" for test in tests))
    project.write("unknot.toml", f'[command]\nlist = "cat ids.txt"\n{command}')
    before = sorted(tmp_path.rglob("*"))
    done = project.detect("--max-orders", "40")
    assert done.returncode in (0, 10), done.stderr
    known = read_lock(project.directory / "unknot.lock.json")
    assert list(known.suite.tests) == tests
    assert set(known.outcomes.values()) == {"passed"}
    assert not executed.exists()
    new = [path for path in tmp_path.rglob("*") if path not in before]
    assert all(".unknot" in path.parts or path.name == "unknot.lock.json" for path in new), new


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"nul\0nul", "a NUL"),
        (b"escape \x1b[31m", "a control character"),
        (b"tab\there", "a control character"),
        (b"bell\x07", "a control character"),
        (b"return\rhere", "an end of line"),
        ("separator\u2028here".encode(), "an end of line"),
        (b"not utf-8 \xff", "half a character"),
        (b"x" * 5000, "5,000 characters"),
        (b"plain1", "twice"),
    ],
)
def test_ids_that_cannot_be_used_are_refused_by_name(project: Project, line: bytes, told: str) -> None:
    (project.directory / "ids.txt").write_bytes(b"plain1\n" + line + b"\n")
    project.write("unknot.toml", '[command]\nlist = "cat ids.txt"\nrun = ["sh", "suite.sh", "one", "-", "{test}"]\n')
    done = project.detect_here()
    project.check_clear_error(done, code=2)
    assert told in done.stderr
    assert "\x1b" not in done.stderr
    assert "\0" not in done.stderr
    assert not (project.directory / "unknot.lock.json").exists()


RUN = 'run = "sh suite.sh one - {test}"\n'
TWO = 'tests = ["plain1", "plain2"]\n'


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (TWO + "run = 3", "`run`"),
        (TWO + "run = []", "`run`"),
        (TWO + 'run = ["sh", 3, "{test}"]', "`run`"),
        (TWO + "run = '''sh \"unended {test}'''", "`run`"),
        (TWO + 'run = "sh {nonsense} {test}"', "{nonsense}"),
        (TWO + 'run = "sh {test} {tests}"', "{test} and {tests}"),
        (TWO + 'run = "sh {port0} {test}"', "{port0}"),
        (TWO + 'run = "sh {run} {test}"', "{run}"),
        (TWO + 'run = "sh {test"', "single `{`"),
        (TWO + 'run = "no-such-program {test}"', "no-such-program"),
        (TWO + 'run = "./suite.sh {test}"', "suite.sh"),
        (TWO + 'run = ["sh", "a\\u0000b", "{test}"]', "NUL"),
        (RUN, "`list` is missing"),
        (RUN + "tests = []", "`tests` is empty"),
        (RUN + 'tests = "plain1"', "`tests`"),
        (RUN + "tests = [1]", "`tests`"),
        (RUN + 'tests = ["a", "a"]', "twice"),
        (RUN + 'tests = ["a\\nb"]', "end of line"),
        (RUN + TWO + 'list = "true"', "both"),
        (RUN + TWO + 'results = "xml"', "one of junit"),
        (RUN + TWO + 'results = "lines"', "`pattern`"),
        (RUN + TWO + "results = \"lines\"\npattern = '('", "regular expression"),
        (RUN + TWO + "results = \"lines\"\npattern = 'x'", "test"),
        (RUN + TWO + 'results = "tap"\nresults-file = "../../out.tap"', "`results-file`"),
        (RUN + TWO + 'results = "tap"\nresults-file = "/etc/passwd"', "`results-file`"),
        (RUN + TWO + "statuses = [999]", "`statuses`"),
        (RUN + TWO + 'env = "x"', "`env`"),
        (RUN + TWO + "env = { TMPDIR = '/' }", "TMPDIR"),
        (RUN + TWO + "env = { X = '{test}' }", "{test}"),
        (RUN + TWO + "env = { X = '{X}' }", "{X}"),
        (RUN + TWO + 'separator = ""', "`separator`"),
        (RUN + TWO + "surprise = 1", "surprise"),
        (RUN + TWO + "[instance]\nports = -1", "`ports`"),
        (RUN + TWO + "[instance]\nports = 1e9", "`ports`"),
        (RUN + TWO + '[instance]\nready = "http://example.org/"', "this machine"),
        (RUN + TWO + '[instance]\nstart = "sleep {port7}"\nports = 1', "port7"),
        (RUN + TWO + '[instance]\nreset = "nonsense"', "nonsense"),
        (RUN + TWO + '[instance]\nreset = { kind = "http" }', "'url'"),
        (RUN + TWO + '[instance]\nreset = { kind = "http", url = "http://10.0.0.1/" }', "this machine"),
        (RUN + TWO + '[instance]\nreset = { kind = "directory", path = "/etc" }', "/etc"),
        (RUN + TWO + "[instance]\nready-seconds = 'soon'", "`ready-seconds`"),
        ("run = ", "unknot.toml"),
    ],
)
def test_a_configuration_that_cannot_be_meant_is_one_clear_line(project: Project, table: str, told: str) -> None:
    project.write("unknot.toml", f"[command]\n{table}\n")
    done = project.detect_here()
    project.check_clear_error(done, code=4)
    assert told in done.stderr, done.stderr
    assert not (project.directory / "unknot.lock.json").exists()


@pytest.mark.parametrize(
    ("command", "options", "code", "told"),
    [
        ("true", (), 5, "no tests"),
        ("false", (), 12, "ended with status 1"),
        ("sh -c 'kill -9 $$'", (), 12, "killed by SIGKILL"),
        ("sh -c 'sleep 1000 & sleep 1000'", ("--timeout", "1"), 12, "did not end in 1 s"),
        ("no-such-program", (), 4, "no-such-program"),
    ],
)
def test_a_list_command_that_does_not_list(
    project: Project, command: str, options: tuple[str, ...], code: int, told: str
) -> None:
    project.write("unknot.toml", f'[command]\nlist = "{command}"\n{RUN}')
    done = project.detect_here(*options)
    project.check_clear_error(done, code)
    assert told in done.stderr


def test_a_list_command_without_end_is_stopped(project: Project) -> None:
    project.write("flood.py", "import sys\nfor n in range(10**9): sys.stdout.write(f'{n:01000}\\n')")
    project.write("unknot.toml", f'[command]\nlist = ["{sys.executable}", "-IS", "flood.py"]\n{RUN}')
    done = project.detect_here()
    project.check_clear_error(done)
    assert "printed more than" in done.stderr


@pytest.mark.parametrize("content", ["", "[]", '{"format": 1}', '{"format": 99, "suite": {}}', "\0\0"])
def test_a_lock_file_that_is_none_is_refused(project: Project, content: str) -> None:
    project.configure("tap", tests=["make", "uses"])
    project.write("unknot.lock.json", content)
    done = project.detect_here()
    if done.returncode == 1:
        assert project.graph == {("needs", "uses", "make")}
    else:
        project.check_clear_error(done, code=13)
        assert (project.directory / "unknot.lock.json").read_text() == content


def test_a_lock_file_of_other_tests_adds_no_edge(project: Project) -> None:
    project.configure("tap", tests=["make", "uses", "plain1"])
    assert project.detect().returncode == 1
    lock = (project.directory / "unknot.lock.json").read_text()
    project.write("unknot.lock.json", lock.replace('"make"', '"gone"').replace('"uses"', '"never_was"'))
    project.configure("tap")
    done = project.detect()
    assert done.returncode == 1, done.stderr
    assert project.graph == TRUTH


@pytest.mark.parametrize(
    "configuration",
    [
        'run = ["sh", "loud.sh", "{tests}"]\nresults = "tap"\ntests = ["a", "b"]\n',
        'run = ["sh", "{test}"]\nlist = ["sh", "loud.sh"]\n',
        'run = ["true", "{test}"]\ntests = ["a"]\n[instance]\nstart = ["sh", "loud.sh"]\nready = "port"\nports = 1\n',
    ],
    ids=["run", "list", "instance"],
)
def test_what_a_suite_prints_sends_no_command_to_the_terminal(project: Project, configuration: str) -> None:
    project.write("loud.sh", r"printf '\033]0;title\007\342\200\256loud\n'; exit 3")
    project.write("unknot.toml", "[command]\n" + configuration)
    done = project.detect_here()
    assert done.returncode == 12
    assert r"\x1b]0;title\x07\u202eloud" in done.stderr
    assert all(line.isprintable() for line in done.stderr.splitlines())
