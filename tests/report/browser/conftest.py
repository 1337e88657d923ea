"""The page in a real browser. Whatever a test does with it: it may request nothing from the network, and nothing may be
complained about in the console."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from unknot.report.html.page import to_html
from unknot.report.plan.plan_report import PlanReport
from unknot.report.report import Report

CHROMIUM = shutil.which("chromium")
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)

Opened = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Not for the session: as long as Playwright is there its loop counts as running, and no other test in this process
    can run one."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(opened_text: Opened) -> Opened:
    """Writes the page of a report and opens it from disk. Options are those of a browser context."""

    def open_page(report: Report, plan: PlanReport | None = None, fragment: str = "", **options: Any) -> Page:
        return opened_text(to_html(report, plan), fragment, **options)

    return open_page


@pytest.fixture
def opened_text(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """The same for the text of a page. Pictures that are written in it are no requests."""
    seen: list[str] = []
    contexts = []
    file = tmp_path / "report.html"

    def dismiss(dialog: Dialog) -> None:
        seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open_page(text: str, fragment: str = "", **options: Any) -> Page:
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: seen.append(f"requested {request.url}"))
        page.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: seen.append(f"error: {error}"))
        page.on("dialog", dismiss)
        page.goto(f"{file.as_uri()}{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    allowed = (f"requested {file.as_uri()}", "requested data:image/jpeg;base64,")
    assert [line for line in seen if not line.startswith(allowed)] == []


@pytest.fixture(scope="session")
def point_where() -> Callable[[Page, str], tuple[float, float]]:
    """Where on the graph the pointer must be for its bubble to say so; found as a reader does, by pointing."""
    script = """text => {
      const canvas = document.querySelector("#graph canvas");
      const bubble = document.querySelector("#graph .bubble");
      const box = canvas.getBoundingClientRect();
      for (let y = box.top + 2; y < box.bottom; y += 5) for (let x = box.left + 2; x < box.right; x += 9) {
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, pointerId: 1 }));
        if (!bubble.hidden && bubble.textContent === text) return [x, y];
      }
      return null;
    }"""

    def point(page: Page, text: str) -> tuple[float, float]:
        page.locator("#graph canvas").scroll_into_view_if_needed()
        found = page.evaluate(script, text)
        assert found, f"no text in the graph is {text!r}"
        return found[0], found[1]

    return point


@pytest.fixture(scope="session")
def picture_of() -> Callable[..., str]:
    """What a canvas shows, when it has not changed for a while. A large graph is drawn sharp only when it rests."""
    script = """async ([selector, pause]) => {
      const canvas = document.querySelector(selector);
      const frame = () => new Promise(requestAnimationFrame);
      let [before, now] = ["", null];
      while (now !== before) {
        await new Promise((done) => setTimeout(done, pause));
        await frame();
        await frame();
        [before, now] = [now, canvas.toDataURL()];
      }
      return now;
    }"""

    def picture(page: Page, selector: str, pause: int = 60) -> str:
        return str(page.evaluate(script, [selector, pause]))

    return picture
