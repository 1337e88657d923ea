"""What the pages say is what the tool does: formats, options, members of documents, and links that lead somewhere."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.web.action import Action, FormField
from unknot.model.web.locator import Locator
from unknot.model.web.web_model import Guard, PageAction, ValueList, WebModel, WebPage
from unknot.store.lock import from_json, to_json
from unknot.store.web_model_file import dumps
from unknot.store.web_model_file import from_json as web_model_from_json

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGE = REFERENCE / "json.md"
PAGES = sorted([ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
VERBS = ("plan", "run", "select", "minimise", "prioritise", "detect", "explain", "fix", "pollution")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_OURS = re.compile(r"https://github\.com/unknot/unknot/(?:blob|tree)/main/")
"""The README is shown on PyPI, too, where only absolute links lead anywhere."""


def example() -> str:
    """The lock file that the page shows."""
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found[1]


def said_by(*arguments: str, directory: Path) -> str:
    command = [sys.executable, "-m", "unknot", *arguments]
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True).stdout


def test_the_example_on_the_page_is_read_and_written_back() -> None:
    document = json.loads(example())
    written = to_json(from_json(document))
    assert {**written, "tool": ""} == {**document, "tool": ""}


def test_the_model_on_its_page_is_read_and_written_back() -> None:
    found = re.search(r"```json\n(.*?)```", (REFERENCE / "web-model.md").read_text(encoding="utf-8"), re.DOTALL)
    assert found
    assert dumps(web_model_from_json(json.loads(found[1]))) == found[1]


@pytest.mark.parametrize("kind", [Action, FormField, Guard, Locator, PageAction, ValueList, WebModel, WebPage])
def test_every_member_of_a_model_is_on_its_page(kind: type) -> None:
    text = (REFERENCE / "web-model.md").read_text(encoding="utf-8")
    names = {member.name for member in fields(kind)} - {"action", "value"}
    assert [name for name in sorted(names) if f"`{name}`" not in text] == []


def test_every_outcome_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{outcome}`" in text for outcome in Outcome)


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_a_verb_is_on_its_page_and_no_other(verb: str, tmp_path: Path) -> None:
    described = said_by(verb, "--help", directory=tmp_path).partition("\noptions:\n")[2]
    taken = set(re.findall(r"^  (?:-\w(?: \w+)?, )?(--[a-z-]+)", described, re.MULTILINE)) - {"--help"}
    page = (REFERENCE / f"{verb}.md").read_text(encoding="utf-8")
    assert "--lock" in taken
    # Those with a short form may go by that; the words of a table are options of this verb.
    short = dict(re.findall(r"^  (-\w)(?: \w+)?, (--[a-z-]+)", described, re.MULTILINE))
    named = set(re.findall(r"--[a-z-]+", page)) | {long for brief, long in short.items() if f"`{brief}" in page}
    assert taken <= named
    rows = "".join(re.findall(r"^\| (`-.*?) \|", page, re.MULTILINE))
    assert set(re.findall(r"--[a-z-]+", rows)) <= taken


@pytest.mark.parametrize(
    ("page", "arguments"),
    [
        ("plan", ("plan", "-n", "2", "--format", "json")),
        ("plan", ("plan", "--shards", "2", "--format", "json")),
        ("minimise", ("minimise", "--coverage", "elements.csv", "--format", "json")),
        ("prioritise", ("prioritise", "--format", "json")),
    ],
)
def test_every_member_of_a_document_is_on_its_page(page: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "unknot.lock.json").write_text(example(), encoding="utf-8")
    (tmp_path / "elements.csv").write_text("test,element\ntests/test_cart.py::test_total,line 1\n", encoding="utf-8")
    members = json.loads(said_by(*arguments, directory=tmp_path))
    text = (REFERENCE / f"{page}.md").read_text(encoding="utf-8").partition("\n## JSON\n")[2]
    assert [member for member in members if f"`{member}`" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        ours = _OURS.match(link)
        if "://" in link and not ours:
            continue
        file, _, anchor = link[ours.end() if ours else 0 :].partition("#")
        target = ((ROOT if ours else page.parent) / file).resolve() if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_readme_has_absolute_links_only() -> None:
    links = _LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link] == []


def anchors(text: str) -> set[str]:
    """As GitHub makes them of headings: letters, digits, hyphens, and hyphens for spaces."""
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", without_code, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
