"""Test code is read from the project's own files, wherever that code points."""

from pathlib import Path

from unknot.app.candidates.suite_code import string_uses_of
from unknot.app.configuration import COMMAND
from unknot.model.suite import Suite, TestId
from unknot.runners.protocol import Listing

SPEC = """
it("types", () => {
  cy.fixture("near").then((near) => cy.get("#near").type(near.name));
  cy.fixture("../../../outside").then((far) => cy.get("#far").type(far.name));
});
"""


def test_a_file_outside_the_project_is_not_read(tmp_path: Path) -> None:
    project = tmp_path / "project"
    files = {
        tmp_path / "outside.json": '{"name": "of somebody else"}',
        project / "cypress/fixtures/near.json": '{"name": "nora"}',
        project / "cypress/e2e/a.cy.js": SPEC,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    test = TestId("cypress/e2e/a.cy.js › types")

    (use,) = string_uses_of(Listing(Suite((test,)), (), project, (), ()), COMMAND)

    assert [mention.text for mention in use.submitted] == ["nora"]
