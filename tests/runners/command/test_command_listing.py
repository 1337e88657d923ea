"""Which tests there are, and which files they are made of."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import CollectionError, NoTestsError, UsageError
from unknot.runners.command.config import command_spec
from unknot.runners.command.listing import list_tests
from unknot.runners.protocol import Listing
from unknot.runners.settings import Settings

List = Callable[..., Listing]


@pytest.fixture
def listed(tmp_path: Path) -> List:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "t").mkdir()
    for name in ("t/one.sh", "t/two.sh", "code.c", "unknot.lock.json"):
        (tmp_path / name).write_text(name)

    def listing(script: str = "", timeout: float = 20.0, **table: object) -> Listing:
        (tmp_path / "list.sh").write_text(script)
        how = {"run": "sh {test}", **({} if "tests" in table else {"list": "sh list.sh"}), **table}
        return list_tests(command_spec(how, "here"), Settings(directory=tmp_path, timeout=timeout))

    return listing


def names(listing: Listing) -> list[str]:
    return [path.relative_to(listing.root).as_posix() for path in listing.files]


def test_one_id_a_line(listed: List) -> None:
    listing = listed("echo; echo 't/one.sh'; printf 'with space \\r\\n'; echo ' lead'")
    assert listing.suite.tests == ("t/one.sh", "with space ", " lead")


def test_ids_are_picked_out_of_other_output(listed: List) -> None:
    listing = listed("echo 'Tests:'; echo '  - a'; echo '  - b'; echo done", **{"list-pattern": "^  - (?P<test>.*)$"})
    assert listing.suite.tests == ("a", "b")


def test_tests_can_be_named(listed: List) -> None:
    assert listed(tests=["b", "a"]).suite.tests == ("b", "a")


def test_the_files_of_tests(listed: List, tmp_path: Path) -> None:
    ids = ["t/one.sh", "t/two.sh::case", "t/two.sh#x[1/2]", "code.c: 5", "nothing", "../x", "/etc/passwd", "t"]
    listing = listed("".join(f"echo '{one}'\n" for one in ids))
    config = "pyproject.toml"
    assert names(listing) == ["t/one.sh", "t/two.sh", "t/two.sh", "code.c", config, config, config, config]
    assert [path.relative_to(tmp_path).as_posix() for path in listing.modules] == ["list.sh"]


def test_the_list_may_say_which_file_is_a_tests_own(listed: List) -> None:
    said = r"^(?P<test>\S+) in (?P<file>.*)$"
    listing = listed("echo 'first in t/two.sh'; echo 'second in /etc/passwd'", **{"list-pattern": said})
    assert listing.suite.tests == ("first", "second")
    assert names(listing) == ["t/two.sh", "pyproject.toml"]


def test_files_that_lie_outside_belong_to_no_test(listed: List, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.write_text("x")
    (tmp_path / "t" / "link").symlink_to(outside)
    listing = listed(f"echo t/link; echo ../{outside.name}; echo {outside}")
    assert names(listing) == ["pyproject.toml"] * 3
    assert tmp_path / "t" / "link" not in listing.modules


def test_files_can_be_named_by_globs(listed: List, tmp_path: Path) -> None:
    listing = listed("echo t/one.sh", files=["**/*.sh", "../*", "/etc/pass*"])
    assert {path.relative_to(tmp_path).as_posix() for path in listing.modules} == {"list.sh", "t/two.sh"}


def test_the_users_tree_is_not_written_to(listed: List, tmp_path: Path) -> None:
    listed("touch made; rm -rf t; echo a")
    assert not (tmp_path / "made").exists()
    assert (tmp_path / "t" / "one.sh").exists()


def test_ids_with_the_projects_path_are_the_users_own(listed: List, tmp_path: Path) -> None:
    listing = listed('for f in "$PWD"/t/*; do echo "$f"; done')
    assert listing.suite.tests == (f"{tmp_path}/t/one.sh", f"{tmp_path}/t/two.sh")
    assert names(listing) == ["t/one.sh", "t/two.sh"]


def test_what_could_change_an_answer_is_distinguished(listed: List) -> None:
    first = listed("echo a")
    assert first.plugins == listed("echo a").plugins
    assert first.plugins != listed("echo a", run="bash {test}").plugins
    assert first.plugins != listed("echo a", env={"A": "b"}).plugins


@pytest.mark.parametrize(
    ("script", "table", "error", "found"),
    [
        ("exit 0", {}, NoTestsError, "no tests"),
        ("echo a", {"list-pattern": "(?P<test>b)"}, NoTestsError, "no line that fits"),
        ("echo nothing good >&2; exit 3", {}, CollectionError, "status 3:\nnothing good"),
        ("kill -9 $$", {}, CollectionError, "SIGKILL"),
        ("sleep 100", {"timeout": 0.5}, CollectionError, "did not end in 0.5 s"),
        ("echo a; echo b; echo a", {}, CollectionError, "twice: `a`"),
        ("printf 'a\\001b\\n'", {}, CollectionError, "control character"),
        ("printf 'a\\000b\\n'", {}, CollectionError, "NUL"),
        ("printf 'a\\377b\\n'", {}, CollectionError, "half a character"),
        ("echo a,b", {"run": "x --t={tests}", "results": "tap"}, UsageError, "separator"),
        ("", {"list": "no-such-program"}, UsageError, "no-such-program"),
    ],
)
def test_what_cannot_be_listed(
    listed: List, script: str, table: dict[str, object], error: type[Exception], found: str
) -> None:
    with pytest.raises(error) as caught:
        listed(script, **table)
    assert found in str(caught.value)


def test_nothing_is_left_of_a_listing(listed: List, sleeping: Callable[[str], list[int]]) -> None:
    before = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
    listed("setsid sleep 54321.9 & echo a")
    assert sleeping("54321.9") == []
    after = set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()
    assert not {name for name in after - before if _holds(name, "list.sh")}


def _holds(name: str, file: str) -> bool:
    return any(Path("/dev/shm", name, "0", "project").glob(f"*/{file}"))


@pytest.mark.parametrize("command", ["cat list.sh | grep nothing", "ls t/*.py", "cat $HOME/no", "cat no 2>/dev/null"])
def test_a_list_command_that_was_meant_for_a_shell_gets_a_hint(listed: List, command: str) -> None:
    with pytest.raises(CollectionError, match="ended with status") as caught:
        listed(list=command)
    assert "no shell reads it" in caught.value.hint


@pytest.mark.parametrize("command", [["sh", "-c", "cat no | grep x; false"], "cat no"])
def test_a_list_command_that_just_fails_is_to_be_run_by_hand(listed: List, command: object) -> None:
    with pytest.raises(CollectionError, match="ended with status") as caught:
        listed(list=command)
    assert "run it by hand" in caught.value.hint
    assert "shell" not in caught.value.hint


def test_colours_in_a_list_can_be_left_out_by_a_pattern(listed: List) -> None:
    script = "printf '\\033[32mone\\033[0m\\n'"
    with pytest.raises(CollectionError, match="control character") as caught:
        listed(script)
    assert "`list-pattern`" in caught.value.hint
    assert listed(script, **{"list-pattern": r"\[32m(?P<test>\w+)"}).suite.tests == ("one",)
