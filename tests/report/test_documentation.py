"""What the reference page shows is what the reader takes."""

import json
import re
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.report.lock import from_json, to_json

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "json.md"


def test_the_example_on_the_page_is_read_and_written_back() -> None:
    found = re.search(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    document = json.loads(found[1])
    written = to_json(from_json(document))
    assert {**written, "tool": ""} == {**document, "tool": ""}


def test_every_outcome_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{outcome}`" in text for outcome in Outcome)
