"""The applications that are crawled: their configurations can be used, and their reference graphs hang together."""

from pathlib import Path

import pytest
from bench.crawl.reference import ANYWHERE, read_reference
from bench.crawl.subjects import SUBJECTS, Subject

_EACH = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)


def test_there_are_four() -> None:
    assert [subject.name for subject in SUBJECTS] == ["ihatemoney", "library", "radicale", "roundup"]


@_EACH
def test_the_instance_can_be_started_and_put_back_while_it_runs(subject: Subject) -> None:
    spec = subject.spec()

    assert spec.start
    assert spec.ports == 1
    assert spec.reset.kind in ("sqlite", "directory")


@_EACH
def test_there_is_a_login_and_every_package_is_pinned(subject: Subject) -> None:
    assert callable(subject.login())
    lines = (subject.directory / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert all("==" in line for line in lines if line and not line.startswith("#"))


@_EACH
def test_every_page_but_dead_ends_has_an_edge_and_every_page_is_reached(subject: Subject) -> None:
    reference = subject.reference()
    names = {page.name for page in reference.pages}
    reached = {edge.target for edge in reference.edges} - {ANYWHERE}
    left = {source for edge in reference.edges for source in edge.sources} - {ANYWHERE}

    assert reached | left <= names
    assert names - reached - left <= {"invite", "statistics", "front page", "confirm with password", "login"}


@_EACH
def test_enough_edges_count(subject: Subject) -> None:
    assert len(subject.reference().wanted()) >= 20


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '{"application": "a", "pages": [], "edges": [{"name": "e", "from": "p", "by": "link", "to": "p"}]}',
            "no page p",
        ),
        ('{"application": "a", "pages": [{"name": "p"}, {"name": "p"}], "edges": []}', "same name: p"),
        ('{"application": "a", "pages": [{"name": "p", "showz": ""}], "edges": []}', "unknown showz"),
        ('{"application": "a", "pages": [], "edges": [{"name": "e", "from": "*", "to": "*"}]}', "`by` is missing"),
        ('{"application": "a", "pages": [{"name": "p", "shows": "[x=1"}], "edges": []}', "no pattern of an element"),
    ],
)
def test_a_file_that_cannot_be_meant_so_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "reference.json"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=problem):
        read_reference(file)
