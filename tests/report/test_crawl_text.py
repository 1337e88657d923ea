"""The result of a crawl on a terminal."""

from web_models import MODEL

from unknot.model.web.crawl_summary import CrawlSummary, PageFault
from unknot.model.web.web_model import WebModel
from unknot.report.navigation.crawl_text import crawl_text


def test_the_table_has_each_kind_of_page_and_what_was_learned() -> None:
    faults = (PageFault("page error", "x is not defined", "/bills", "Save", 2),)
    found = CrawlSummary(MODEL, faults, ("http://elsewhere.example/",), 1_234, 3, 2, 61.4)
    text = crawl_text(found, written=[("unknot.web.json", "the model; commit it"), ("unknot pages", "what next")]).plain
    assert text.splitlines()[:2] == [
        "3 kinds of pages, 4 transitions, 2 of 2 actions tried",
        "1,234 steps and 2 resets in 61 s",
    ]
    assert text == (
        "3 kinds of pages, 4 transitions, 2 of 2 actions tried\n"
        "1,234 steps and 2 resets in 61 s\n"
        "\n"
        "  page        visits  actions tried  title\n"
        "  /                3         0 of 0  Money\n"
        "  /bills          30         1 of 1  Bills · Money\n"
        "  /bills/new      14         2 of 2  New bill · Money\n"
        "\n"
        "possible only sometimes\n"
        "  Save on /bills/new: needs `Payer` in the list `members` (worked 9 of 9 times with it, 0 of 3 without)\n"
        "\n"
        "left alone\n"
        "  logs out  Log out\n"
        "\n"
        "faults\n"
        "  page error after Save on /bills (2 times): x is not defined\n"
        "\n"
        "1 address elsewhere requested by pages, and not reached\n"
        "\n"
        "unknot.web.json  the model; commit it\n"
        "unknot pages     what next\n"
    )


def test_columns_stay_straight_and_nothing_is_sent_to_the_terminal() -> None:
    pages = MODEL.pages
    wide = WebModel("/", (pages[0], *(page for page in pages[1:])), MODEL.components)
    found = CrawlSummary(wide, (PageFault("page error", "\x1b[31m", "/bills", "\x07", 1),), (), 1, 0, 1, 1.0)
    text = crawl_text(found, "it \x1b[2J died").plain
    assert "stopped early: it \\x1b[2J died" in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_crawl_that_saw_nothing_is_said_in_two_lines() -> None:
    found = CrawlSummary(WebModel("", ()), (), (), 0, 0, 0, 0.0)
    assert crawl_text(found).plain == (
        "0 kinds of pages, 0 transitions, 0 of 0 actions tried\n0 steps and 0 resets in 0 s\n"
    )
