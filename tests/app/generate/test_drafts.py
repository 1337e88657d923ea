"""Drafts of tests for the library in a real browser: explored, replayed, and in the words of its model."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from noted_crawl import Notes

from unknot.app.configuration import read_configuration
from unknot.app.crawl.crawl import CrawlOptions, crawl_application
from unknot.app.crawl.login import login_function
from unknot.app.generate.drafts import DraftOptions, GeneratedDrafts, generated_drafts
from unknot.app.options import RunnerOptions
from unknot.model.errors import StorageError
from unknot.model.web.web_model import WebModel
from unknot.store.web_model_file import read_web_model, write_web_model
from unknot.web.suite.draft import CheckKind, Draft

pytestmark = pytest.mark.browser

WEBAPP = Path(__file__).parents[3] / "examples" / "webapp"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlOptions:
    """Crawled a little, as the administrator. The steps are in the journal."""
    directory = tmp_path_factory.mktemp("drafts") / "webapp"
    shutil.copytree(WEBAPP, directory, ignore=shutil.ignore_patterns("__pycache__", ".unknot"))
    configuration = directory / "unknot.toml"
    configuration.write_text(configuration.read_text().replace('"python ', f'"{sys.executable} '))
    options = CrawlOptions(
        runner=RunnerOptions(directory=directory, configuration=read_configuration(directory)),
        login="login.py::log_in",
        steps=45,
        coverage=False,
        state_dir=directory / ".unknot",
    )
    write_web_model(directory / "unknot.web.json", crawl_application(options, Notes()).summary.model)
    return options


@pytest.fixture(scope="module")
def found(crawl: CrawlOptions) -> GeneratedDrafts:
    login = login_function(crawl.login, crawl.runner.directory)
    return generated_drafts(options(crawl, tests=2), login, Notes())


def options(crawl: CrawlOptions, tests: int) -> DraftOptions:
    directory = crawl.runner.directory
    # The steps of the crawl are those of another seed.
    return DraftOptions(crawl=replace(crawl, steps=10, seed=5), model=directory / "unknot.web.json", tests=tests)


def model(crawl: CrawlOptions) -> WebModel:
    return read_web_model(crawl.runner.directory / "unknot.web.json")


def test_finds_as_many_drafts_as_are_wanted_with_checks(found: GeneratedDrafts) -> None:
    assert len(found.drafts) == 2
    assert found.problem == ""
    assert found.recorded == 45
    for draft in found.drafts:
        assert 1 <= len(draft.checks) <= 4
        assert len(draft.steps) <= 6


def test_what_a_draft_adds_is_checked(found: GeneratedDrafts) -> None:
    def is_checked(draft: Draft) -> bool:
        kinds = (CheckKind.MESSAGE, CheckKind.LISTED)
        return any(each.kind in kinds and value in each.text for each in draft.checks for value in draft.data)

    assert any(map(is_checked, found.drafts))


def test_drafts_are_in_the_words_of_the_model(crawl: CrawlOptions, found: GeneratedDrafts) -> None:
    known = model(crawl)
    pages = {page.kind: page for page in known.pages}
    for draft in found.drafts:
        kind = known.start
        for step in draft.steps:
            assert step.kind == kind
            assert step.action.key in {each.action.key for each in known.actions_of(pages[step.kind])}
            kind = step.leads_to


def test_without_a_model_nothing_is_started(crawl: CrawlOptions) -> None:
    with pytest.raises(StorageError) as error:
        generated_drafts(DraftOptions(crawl=crawl, model=crawl.runner.directory / "nothing.json"), None, Notes())
    assert error.value.slug == "web-model-missing"
