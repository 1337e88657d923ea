"""How large the HTML report is, how soon it is there, and how it moves.

    python -m bench.report.run                       # 40 tests, and 2,000 tests with 5,000 lines; half a minute
    python -m bench.report.run --size 500 1000 --keep pages

For each size a page is made, written, and opened from disk in headless Chromium, without a graphics card, several
times: until the document is there, and until the graph is drawn. Then the graph is zoomed by the wheel, in and out
again, one turn for each frame; a frame's time is that from one to the next. Figures are medians over the openings, and
the median and the slowest twentieth of all frames.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.report.pages import report_of
from unknot.report.html.page import to_html

_FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
_HEAD = ("tests", "lines", "kB", "made in s", "document ms", "drawn ms", "frame ms", "slowest 5 % ms")
_OPENINGS = 5
_ZOOM = """async () => {
  const canvas = document.querySelector("#graph canvas");
  const box = canvas.getBoundingClientRect();
  const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
  const frames = [];
  let last = performance.now();
  for (let turn = 0; turn < 120; turn += 1) {
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: turn < 60 ? -60 : 60, cancelable: true, ...middle }));
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""
_OPENED = """async () => {
  const drawn = () => performance.getEntriesByName("unknot-drawn")[0];
  while (!drawn()) await new Promise((done) => setTimeout(done, 20));
  return [performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd, drawn().startTime];
}"""


def main() -> int:
    options = _options()
    executable = shutil.which("chromium")
    if executable is None:
        say("chromium is not installed")
        return 1
    sizes = [tuple(size) for size in options.size] or [(40, 60), (2000, 5000)]
    results: list[Mapping[str, object]] = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        for tests, lines in sizes:
            say(f"{tests:,} tests, {lines:,} lines")
            results.append(_measured(browser, folder / f"report-{tests}.html", tests, lines))
        browser.close()
    publish(
        markdown(_HEAD, [[str(cell) for cell in result.values()] for result in results]),
        {"pages": results},
        options.json,
    )
    return 0


def _measured(browser: Browser, file: Path, tests: int, lines: int) -> Mapping[str, object]:
    report = report_of(tests, lines)
    began = time.perf_counter()
    text = to_html(report)
    made = time.perf_counter() - began
    file.write_text(text, encoding="utf-8")
    opened: list[Sequence[float]] = []
    frames: list[float] = []
    for _ in range(_OPENINGS):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        # Not `wait_for_function`, which the page's policy forbids.
        opened.append(page.evaluate(_OPENED))
        page.locator("#graph canvas").scroll_into_view_if_needed()
        frames += page.evaluate(_ZOOM)
        page.close()
    document, drawn = (statistics.median(times) for times in zip(*opened, strict=True))
    slow = statistics.quantiles(frames, n=20)[-1]
    values = (tests, lines, len(text.encode()) // 1000, f"{made:.2f}", round(document), round(drawn))
    return dict(zip(_HEAD, (*values, f"{statistics.median(frames):.1f}", f"{slow:.1f}"), strict=True))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, nargs=2, action="append", default=[], metavar=("TESTS", "LINES"))
    parser.add_argument("--keep", type=Path, default=None, metavar="DIR", help="where the pages are left")
    parser.add_argument("--json", type=Path, default=None)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
