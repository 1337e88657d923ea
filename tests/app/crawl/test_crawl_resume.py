"""A crawl that was interrupted or killed goes on where it was."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from crawled_site import CrawledSite, serving
from noted_crawl import Crawl, Notes

from unknot.model.errors import StorageError
from unknot.web.recorded.observation_bytes import decode_observation

pytestmark = pytest.mark.browser

PAGES = {
    "/": "<h1>Start</h1><a href=/one>One</a> <a href=/two>Two</a>",
    "/one": "<h1>One</h1><a href=/>Home</a> <form><label>Find <input name=q></label><button>Go</button></form>",
    "/two": "<h1>Two</h1><a href=/>Home</a> <a href=/three>Three</a>",
    "/three": "<h1>Three</h1><a href=/>Home</a>",
}


@pytest.fixture(scope="module")
def site() -> Iterator[CrawledSite]:
    with serving(PAGES) as site:
        yield site


def journal(directory: Path) -> list[tuple[int, float, str, bytes]]:
    connection = sqlite3.connect(directory / ".unknot" / "web" / "journal.sqlite")
    try:
        return connection.execute("SELECT number, elapsed, action, observation FROM steps ORDER BY number").fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def test_the_same_command_goes_on_and_more_steps_continue(
    crawled: Crawl, notes: Notes, site: CrawledSite, tmp_path: Path
) -> None:
    first = crawled(site.address, steps=4)
    assert first.summary.steps == 4
    site.asked.clear()
    again = crawled(site.address, steps=4)
    assert again.summary == first.summary
    assert site.asked == []
    assert "go on with --steps 8, or begin again with --no-cache" in notes.notes[-1]
    more = crawled(site.address, steps=9)
    assert (more.summary.steps, more.resumed) == (9, 4)
    assert more.summary.resets == 2
    assert len(journal(tmp_path)) == 11


def test_time_of_earlier_sessions_counts(crawled: Crawl, notes: Notes, site: CrawledSite) -> None:
    first = crawled(site.address, minutes=0.03)
    # The last step may have been recorded just before the time was up.
    assert crawled(site.address, minutes=0.03).summary.steps <= first.summary.steps + 2
    site.asked.clear()
    crawled(site.address, minutes=0.03)
    assert site.asked == []
    assert "the 0.03 minutes are spent" in notes.notes[-1]
    assert crawled(site.address, minutes=0.06).resumed


def test_no_cache_begins_again(crawled: Crawl, site: CrawledSite, tmp_path: Path) -> None:
    crawled(site.address, steps=4)
    assert crawled(site.address, steps=3, no_cache=True).resumed == 0
    assert len(journal(tmp_path)) == 4


def test_another_seed_or_strategy_is_another_crawl(crawled: Crawl, site: CrawledSite) -> None:
    crawled(site.address, steps=2)
    assert crawled(site.address, steps=2, seed=1).resumed == 0
    assert crawled(site.address, steps=2, explorer="random").resumed == 0


def test_the_same_seed_takes_the_same_steps(crawled: Crawl, site: CrawledSite, tmp_path: Path) -> None:
    crawled(site.address, steps=8)
    once = [action for _, _, action, _ in journal(tmp_path)]
    crawled(site.address, steps=8, no_cache=True)
    assert [action for _, _, action, _ in journal(tmp_path)] == once


def test_each_kind_of_page_has_a_picture_named_by_a_number(crawled: Crawl, site: CrawledSite, tmp_path: Path) -> None:
    pictures = crawled(site.address, steps=8).screenshots
    assert set(pictures) >= {"/", "/one", "/two"}
    files = [each for each in (tmp_path / ".unknot" / "web" / "screenshots").rglob("*") if each.is_file()]
    assert all(each.name.removesuffix(".jpg").isdecimal() for each in files)
    assert sorted(each.read_bytes() for each in files) == sorted(pictures.values())
    assert all(each.startswith(b"\xff\xd8") for each in pictures.values())


def test_a_second_crawl_in_the_same_directory_is_refused(crawled: Crawl, site: CrawledSite, tmp_path: Path) -> None:
    crawled(site.address, steps=1)
    program = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, 2); print(1, flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / ".unknot" / "web" / "running")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    try:
        with pytest.raises(StorageError, match="another crawl uses"):
            crawled(site.address, steps=2)
    finally:
        holder.communicate(b"\n")


def unknot(directory: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "unknot", "crawl", *words],
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_steps(directory: Path, count: int, process: subprocess.Popen[str]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise AssertionError(process.communicate())
        if (directory / ".unknot" / "web" / "journal.sqlite").exists() and len(journal(directory)) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("there are no steps")


def test_after_kill_9_nothing_but_the_step_under_way_is_lost(site: CrawledSite, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    process = unknot(tmp_path, site.address, "--minutes", "5")
    wait_for_steps(tmp_path, 6, process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = journal(tmp_path)
    assert len(kept) >= 6
    assert all(decode_observation(observation).address.startswith(site.address) for *_, observation in kept)
    steps = sum(bool(action) for _, _, action, _ in kept)
    again = unknot(tmp_path, site.address, "--steps", str(steps + 3))
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert f"resuming after {steps} steps" in err
    assert journal(tmp_path)[: len(kept)] == kept
    assert f"{steps + 3} steps" in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_crawl_shows_what_it_found_and_leaves_no_browser(
    number: signal.Signals, site: CrawledSite, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").touch()
    process = unknot(tmp_path, site.address, "--minutes", "5")
    wait_for_steps(tmp_path, 3, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 2, err
    assert "Traceback" not in err
    assert "kinds of pages" in out
    assert "stopped early" not in out
    assert f"{sum(bool(action) for _, _, action, _ in journal(tmp_path))} steps" in out
