"""`--unknot-with-needs`: what the chosen tests need comes along, however they were chosen."""

import pytest

from .conftest import KNOTTED, Project

pytestmark = pytest.mark.slow


def names(project: Project) -> list[str]:
    (ran,) = project.ran.values()
    return ran


def test_k_alone_is_refused_with_both_names_and_what_to_do(knotted: Project) -> None:
    for workers in ("-n0", "-n2"):
        done = knotted.pytest("--unknot", "-k", "profile", workers)
        assert done.status == 4, done.text
        (line,) = [line for line in done.text.splitlines() if line.startswith("ERROR")]
        assert "test_shop.py::test_profile needs test_login.py::test_login" in line
        assert "--unknot-with-needs" in line
        assert knotted.ran == {}


def test_k_pulls_in_what_it_left_out(knotted: Project) -> None:
    done = knotted.pytest("--unknot-with-needs", "-k", "profile")
    assert done.status == 0, done.text
    assert names(knotted) == ["login", "profile"]
    assert "unknot: added 1 test that the chosen ones need: test_login.py::test_login" in done.text
    assert "2 passed, 5 deselected" in done.text


def test_a_node_id_adds_a_file_that_was_not_selected(knotted: Project) -> None:
    done = knotted.pytest("--unknot-with-needs", "test_shop.py::test_order")
    assert done.status == 0, done.text
    assert names(knotted) == ["login", "order"]


def test_a_node_id_pulls_in_another_test_of_its_own_file(knotted: Project) -> None:
    knotted.lock(KNOTTED, needs={KNOTTED[5]: KNOTTED[4], KNOTTED[4]: KNOTTED[0]})
    done = knotted.pytest("--unknot-with-needs", "test_shop.py::test_order")
    assert done.status == 0, done.text
    assert names(knotted) == ["login", "profile", "order"]


def test_a_cleaner_comes_along_where_polluter_and_victim_are_chosen(knotted: Project) -> None:
    refused = knotted.pytest("--unknot", "-k", "pollute or victim")
    assert refused.status == 4
    assert "breaks after test_login.py::test_pollute without test_login.py::test_clean in between" in refused.text
    done = knotted.pytest("--unknot-with-needs", "-k", "pollute or victim")
    assert done.status == 0, done.text
    assert names(knotted) == ["pollute", "clean", "victim"]


def test_what_would_run_can_be_listed(knotted: Project) -> None:
    done = knotted.pytest("-n2", "--unknot-with-needs", "-k", "order", "--collect-only", "-q")
    assert [line for line in done.text.splitlines() if "::" in line and "unknot" not in line] == [
        KNOTTED[0],
        KNOTTED[5],
    ]


def test_the_workers_add_the_same_and_the_summary_says_so(knotted: Project) -> None:
    done = knotted.pytest("-n2", "--unknot-with-needs", "test_shop.py")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 4}
    assert "unknot: added 1 test that the chosen ones need: test_login.py::test_login" in done.text


def test_the_last_failed_come_with_what_they_need(knotted: Project) -> None:
    bad = "import state\ndef test_profile(): assert 0\ndef test_order(): pass\ndef test_free(): pass\n"
    knotted.write("test_shop.py", bad)
    assert knotted.pytest("--unknot").status == 1
    knotted.write("test_shop.py", bad.replace("assert 0", "assert state.user == 'ada'"))
    done = knotted.pytest("--unknot-with-needs", "--lf")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 2}


def test_of_alternatives_one_that_is_still_there_is_taken(knotted: Project) -> None:
    gone = "test_login.py::test_gone"
    knotted.lock([gone, *KNOTTED], needs={KNOTTED[4]: f"{gone} {KNOTTED[0]}"})
    done = knotted.pytest("--unknot-with-needs", "-k", "profile")
    assert done.status == 0, done.text
    assert names(knotted) == ["login", "profile"]


def test_a_deleted_prerequisite_is_reported_and_its_dependent_runs_last(knotted: Project) -> None:
    knotted.lock(["test_login.py::test_gone", *KNOTTED], needs={KNOTTED[4]: "test_login.py::test_gone"})
    done = knotted.pytest("--unknot")
    assert done.status == 4
    assert "test_shop.py::test_profile needs test_login.py::test_gone" in done.text
    assert "--unknot-with-needs" in done.text
    done = knotted.pytest("--unknot-with-needs")
    assert "not in the lock file, run last in their own order: 1 test: test_shop.py::test_profile" in done.text
    assert names(knotted)[-1] == "profile"


def test_paths_from_a_folder_below_are_understood(project: Project) -> None:
    project.write("deep/test_a.py", "import state\ndef test_first():\n    state.user = 1\n")
    project.write(
        "deep/er/test_b.py", "import state\nclass TestB:\n    def test_second(self):\n        assert state.user\n"
    )
    first, second = "deep/test_a.py::test_first", "deep/er/test_b.py::TestB::test_second"
    project.lock([first, second], needs={second: first})
    project.write("deep/er/ran.txt", "")
    below = Project.__new__(Project)
    below.directory = project.directory / "deep" / "er"
    done = below.pytest("--unknot-with-needs", "test_b.py::TestB")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 2}
