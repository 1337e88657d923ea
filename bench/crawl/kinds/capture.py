"""Walks an application and saves what it saw, with a screenshot of each observation for a person to name.

    python -m bench.crawl.kinds.capture NAME PROJECT SCREENSHOTS [--login FILE::FUNCTION] [--steps N] [--spare WORD]

`PROJECT` is the directory of an `unknot.toml` with an instance. The walk is that of `unknot crawl`, so that it gets
far; what is kept of it is chosen without any notion of a page: the first observation of every title and path as the
browser reports them, with every number of dialogs, and then at random. No two have the same elements at the same
address. `--spare` leaves out links to addresses with this word, except in one walk: an application in thirty languages
would show little else.
"""

import argparse
import random
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Error, Page, sync_playwright

from bench.crawl.kinds.observations import SavedObservation, write
from bench.kit.say import say
from unknot.app.configuration import read_configuration
from unknot.app.crawl.login import login_function
from unknot.app.options import RunnerOptions
from unknot.model.errors import RunnerError
from unknot.model.web.action import Action
from unknot.runners.sut.instance import SandboxedInstance
from unknot.web.application.observation import Observation
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.view import View

_WALKS = 4
"""Each begins at the clean state with a seed of its own."""

_AS_GUEST = 1
"""This walk does not log in, so that it sees what visitors see."""

_KEPT = 15
_OF_A_SORT = 10
"""Of each walk. At most so many of the kept ones are the first of their sort; the others are chosen at random."""


class _Walk:
    """Has the page of the browser, which it is given as a login function is."""

    def __init__(self, screenshots: Path, login: Any) -> None:
        self._screenshots = screenshots
        self._login = login
        self._page: Page
        self.is_guest = False
        self.saved: list[SavedObservation] = []

    def log_in(self, page: Page) -> None:
        self._page = page
        if self._login is not None and not self.is_guest:
            self._login(page)

    def save(self, observation: Observation, typed: tuple[str, ...], again: Observation | None, image: bytes) -> None:
        number = len(self.saved)
        (self._screenshots / f"{number:03}.jpg").write_bytes(image)
        self.saved.append(SavedObservation(number, observation, typed, again))

    def html(self) -> str:
        return self._page.content()

    def image(self) -> bytes:
        return self._page.screenshot(type="jpeg", quality=60, full_page=True, timeout=5_000)


@dataclass(frozen=True)
class _SparingSafety(Safety):
    """Leaves out links to addresses with this word as well."""

    spared: str = ""

    def why_not(self, action: Action, address: str) -> str:
        return "spared" if self.spared and self.spared in action.href else super().why_not(action, address)


def _take(application: BrowserApplication, walk: _Walk, seed: int, most: int, safety: Safety) -> None:
    reader = PageReader(FoldedKinds(), safety)
    explorer = PromisingFirst(seed)
    view: View | None = None
    typed, looked = tuple[str, ...](), set[str]()
    for _ in range(most):
        chosen = None if view is None else explorer.choose(view)
        if view is None or chosen is None:
            view = after = reader.view(application.reset())
            explorer.begin(view)
        else:
            typed += tuple(value for _, value in chosen.values)
            reader.kinds.typed([value for _, value in chosen.values])
            after = reader.view(application.perform(chosen.action.step(dict(chosen.values))))
            explorer.learn(view, chosen, after)
            view = after
        if after.refused:
            continue
        try:
            html, image = walk.html(), walk.image()
        except Error as problem:
            say(f"no screenshot: {str(problem).splitlines()[0]}")
            continue
        again = None
        sort = f"{after.observation.title} {urlsplit(after.observation.address).path}"
        if sort not in looked:
            again = application.look_again()
            looked.add(sort)
        walk.save(replace(after.observation, html=html), typed, again, image)
        typed = ()


def _kept(saved: list[SavedObservation], chance: random.Random) -> list[SavedObservation]:
    """See the module."""
    distinct = list({(each.observation.address, each.observation.root): each for each in reversed(saved)}.values())
    distinct.sort(key=lambda each: each.number)
    sorts = {_sort(each.observation): each for each in reversed(distinct)}
    first = sorted(sorts.values(), key=lambda each: each.number)
    if len(first) > _OF_A_SORT:
        first = chance.sample(first, _OF_A_SORT)
    others = [each for each in distinct if each not in first]
    chosen = first + chance.sample(others, min(len(others), _KEPT - len(first)))
    return sorted(chosen, key=lambda each: each.number)


def _sort(observation: Observation) -> tuple[str, str, int]:
    dialogs = sum(each.role in ("dialog", "alertdialog") for each in observation.root.walk())
    return observation.title, urlsplit(observation.address).path, dialogs


def _renumbered(
    kept: list[SavedObservation], all_of_them: list[SavedObservation], source: Path, to: Path
) -> list[SavedObservation]:
    """With what was typed before those that are left out, and the screenshots numbered from 1."""
    numbers = {each.number for each in kept}
    found: list[SavedObservation] = []
    typed: tuple[str, ...] = ()
    for each in all_of_them:
        typed += each.typed
        if each.number in numbers:
            number = len(found) + 1
            shutil.copy(source / f"{each.number:03}.jpg", to / f"{number:02}.jpg")
            found.append(SavedObservation(number, each.observation, typed, each.again))
            typed = ()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("project", type=Path)
    parser.add_argument("screenshots", type=Path)
    parser.add_argument("--login", default="")
    parser.add_argument("--address", default="http://127.0.0.1:{port0}/")
    parser.add_argument("--spare", default="")
    parser.add_argument("--steps", type=int, default=120)
    given = parser.parse_args()
    project = given.project.resolve()
    configuration = read_configuration(project)
    spec = RunnerOptions(directory=project, configuration=configuration).instance
    assert spec is not None, "the project describes no instance"
    login = login_function(given.login, project) if given.login else None
    everything = given.screenshots / "walk"
    everything.mkdir(parents=True, exist_ok=True)
    walk = _Walk(everything, login)
    instance = SandboxedInstance(spec, project)

    def clean() -> str:
        instance.reset()
        return str(given.address.format(port0=instance.variables["UNKNOT_PORT_0"]))

    started = time.monotonic()
    kept: list[SavedObservation] = []
    try:
        with sync_playwright() as playwright:
            origin = origin_of(clean())
            browser = launch(playwright, [origin])
            for seed in range(_WALKS):
                walk.is_guest = seed == _AS_GUEST
                application = BrowserApplication(browser, clean, walk.log_in)
                spared = "" if walk.is_guest else given.spare
                safety = _SparingSafety(frozenset([origin]), writes=True, spared=spared)
                first = len(walk.saved)
                try:
                    _take(application, walk, seed, given.steps // _WALKS, safety)
                except RunnerError as problem:
                    say(f"walk {seed}: {problem}")
                application.close()
                kept += _kept(walk.saved[first:], random.Random(seed))
                say(f"walk {seed}: {len(walk.saved)} observations, {time.monotonic() - started:.0f} s")
            browser.close()
    finally:
        instance.close()
    for old in given.screenshots.glob("*.jpg"):
        old.unlink()
    kept = _renumbered(kept, walk.saved, everything, given.screenshots)
    path = write(given.name, kept)
    say(f"{given.name}: {len(kept)} of {len(walk.saved)} observations, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
