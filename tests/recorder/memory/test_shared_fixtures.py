"""State that tests share through fixtures of larger scope; and where the recorder finds the user's code."""

import textwrap
from pathlib import Path

import pytest

from unknot.app.recording.suite_recorder import record
from unknot.model.recording import FlowKind, Recording
from unknot.runners.settings import Settings

FILES = {
    "far/farlib.py": """
        STATE = []
        """,
    "project/conftest.py": """
        import sys
        import pytest

        sys.path.insert(0, {far!r})

        @pytest.fixture(scope="session")
        def notes(tmp_path_factory):
            return {{"folder": str(tmp_path_factory.mktemp("notes"))}}

        @pytest.fixture(scope="class")
        def box():
            return []

        @pytest.fixture(scope="module", params=["a", "b"])
        def shelf(request):
            return {{}}
        """,
    "project/test_it.py": """
        import pytest
        import farlib

        class TestOne:
            def test_put(self, box):
                box.append(1)

            def test_has(self, box):
                assert box == [1]

        class TestTwo:
            def test_other_box(self, box):
                assert box == []

        def test_note(notes):
            notes["who"] = "me"

        def test_noted(notes):
            assert notes["who"] == "me"

        def test_folder(notes):
            notes["file"] = notes["folder"] + "/x"
            with open(notes["file"], "w") as file:
                file.write("x")

        def test_far():
            farlib.STATE.append(3)

        def test_from_far():
            assert farlib.STATE == [3]

        class TestSetUp:
            @classmethod
            def setup_class(cls):
                farlib.READY = True

            def test_first(self):
                pass

        def test_ready():
            assert farlib.READY

        @pytest.mark.parametrize("n", [1, 2])
        def test_shelf(shelf, n):
            shelf.setdefault("n", n)
        """,
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    top = tmp_path_factory.mktemp("neighbours")
    for name, text in FILES.items():
        path = top / name
        path.parent.mkdir(exist_ok=True)
        source = textwrap.dedent(text)
        path.write_text(source.format(far=str(top / "far")) if name.endswith("conftest.py") else source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setenv("PYTEST_ADDOPTS", "")
        return record(Settings(top / "project"))


def flows(seen: Recording) -> set[tuple[str, str, str]]:
    return {
        (flow.writer.split("::", 1)[1], flow.reader.split("::", 1)[1], flow.location.name)
        for flow in seen.flows
        if flow.kind is FlowKind.READ_AFTER_WRITE
    }


def test_what_a_class_shares_is_named_by_fixture_and_class(seen: Recording) -> None:
    assert ("TestOne::test_put", "TestOne::test_has", "<fixture box of test_it.py::TestOne>") in flows(seen)


def test_another_class_has_a_box_of_its_own(seen: Recording) -> None:
    assert not any(reader == "TestTwo::test_other_box" for _, reader, _ in flows(seen))


def test_what_the_session_shares_is_named_by_the_fixture_alone(seen: Recording) -> None:
    assert ("test_note", "test_noted", "<fixture notes>['who']") in flows(seen)


def test_every_parameter_has_its_own_value(seen: Recording) -> None:
    shelves = {(writer, reader, name) for writer, reader, name in flows(seen) if "shelf" in name}
    assert {(writer[-4:], reader[-4:], name) for writer, reader, name in shelves} == {
        ("a-1]", "a-2]", "<fixture shelf[0] of test_it.py>['n']"),
        ("b-1]", "b-2]", "<fixture shelf[1] of test_it.py>['n']"),
    }


def test_a_package_from_elsewhere_is_the_users_too(seen: Recording) -> None:
    assert ("test_far", "test_from_far", "farlib.STATE") in flows(seen)


def test_what_a_class_sets_up_has_its_line(seen: Recording) -> None:
    (flow,) = (flow for flow in seen.flows if flow.location.name == "farlib.READY")
    line = 1 + FILES["project/test_it.py"].splitlines().index("                farlib.READY = True")
    assert [(Path(frame.file).name, frame.line) for frame in flow.written[:1]] == [("test_it.py", line)]


def test_temporary_directories_are_called_the_same_each_time(seen: Recording) -> None:
    (left,) = (left for left in seen.left if left.location.name == "<fixture notes>['file']")
    assert left.shown == "'<tmp>/notes0/x'"
    assert "<tmp>/notes0/x" in {left.location.name for left in seen.left if left.location.kind == "file"}
    assert not any("unknot-" in left.location.name + left.shown for left in seen.left)


def test_generators_that_a_plugin_seeds_before_every_test_are_no_pollution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conftest.py").write_text(
        textwrap.dedent("""
        import random

        def pytest_addoption(parser):
            parser.addoption("--seeding", dest="randomly_reset_seed", action="store_true")

        def pytest_runtest_setup(item):
            if item.config.option.randomly_reset_seed:
                random.seed(item.nodeid)
        """)
    )
    (tmp_path / "test_dice.py").write_text("import random\n\ndef test_roll():\n    random.seed(3)\n")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "")

    def left(looks: int, *options: str) -> set[str]:
        return {left.location.name for left in record(Settings(tmp_path, options=options), looks=looks).left}

    assert "random.getstate()" in left(2)
    assert "random.getstate()" not in left(1, "--seeding")
