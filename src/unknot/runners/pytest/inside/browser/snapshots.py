"""What is read of a browser between the phases of a test: what its pages show, and what it keeps."""

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

from unknot.runners.pytest.inside.browser.method_hooks import Steps
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger

FOUND = "found"
"""A test begins, and its fixtures are set up."""

LEFT = "left"
"""A test has run, or closes what it opened; now the pages are read as well."""

ENDED = "ended"
"""Its fixtures are torn down, too, and have sent requests."""

SHARED = "shared"
"""A fixture that several tests share was set up."""

_MOST_ENTRIES = 200

READ_PAGE = """async (root) => {
  const most = 200, long = 4000;
  const short = (text) => String(text).slice(0, long) + '|' + String(text).length;
  const soon = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 300, null))]);
  const entries = [];
  const kept = (kind, storage) => {
    try {
      for (let at = 0; at < Math.min(storage().length, most); at++) {
        const name = storage().key(at);
        entries.push([kind, name, short(storage().getItem(name))]);
      }
    } catch (refused) { /* an opaque origin has none */ }
  };
  kept('localStorage', () => window.localStorage);
  kept('sessionStorage', () => window.sessionStorage);
  const listed = async (kind, names) => {
    try {
      for (const name of ((await soon(names())) || []).slice(0, most)) entries.push([kind, name, '']);
    } catch (refused) { /* not in this kind of page */ }
  };
  await listed('service worker', async () =>
    (await navigator.serviceWorker.getRegistrations()).map((each) => each.scope));
  await listed('IndexedDB', async () => (await indexedDB.databases()).map((each) => each.name));
  await listed('cache', () => caches.keys());
  const page = root || document.documentElement;
  const fields = [...document.querySelectorAll('input:not([type=password]):not([type=hidden]), textarea, select')];
  const values = fields.slice(0, 500).map((field) => String(field.value).slice(0, 500));
  const shown = page ? String(page.innerText || page.textContent || '').slice(0, 200000) : '';
  return {origin: location.origin, url: location.href, text: [shown, ...values].join('\\n'), entries};
}"""
"""JavaScript that changes nothing in the page. Takes the root element, or nothing. Cost: a few milliseconds in the
page, and at most a second if its databases do not answer."""


class BrowserSnapshot:
    """All that one context keeps at one moment, collected from its pages and cookies: for each entry its kind, its
    origin or domain, its name, and a digest of its value. The value itself is not recorded."""

    def __init__(self, ledger: TrafficLedger, context: int, moment: str) -> None:
        self._ledger = ledger
        self._context = context
        self._moment = moment
        self._entries: list[list[str]] = []
        self._places: list[str] = []

    def add_page(self, answer: Mapping[str, Any]) -> None:
        """Takes the result of `READ_PAGE`. After a test, what the page shows is recorded at once."""
        url, origin = str(answer.get("url", "")), str(answer.get("origin", "null"))
        if self._moment == LEFT and url.startswith("http"):
            self._ledger.page(self._context, url, str(answer.get("text", "")))
        if origin == "null":
            return
        self._places.append(origin)
        for kind, name, value in answer.get("entries", ())[: 5 * _MOST_ENTRIES]:
            self._entries.append([str(kind), origin, str(name), _digest(str(value))])

    def add_cookies(self, cookies: list[Any]) -> None:
        """Dictionaries, which are nearly the same in all tools."""
        for each in cookies[:_MOST_ENTRIES]:
            value = _digest(str(each.get("value", "")))
            self._entries.append(["cookie", str(each.get("domain", "")), str(each.get("name", "")), value])

    def record(self) -> None:
        self._ledger.write(
            "look",
            owner=self._ledger.owner,
            context=self._context,
            moment=self._moment,
            time=self._ledger.moment(),
            entries=self._entries,
            places=self._places,
        )


def _digest(value: str) -> str:
    return hashlib.blake2s(value.encode("utf-8", "replace"), digest_size=8).hexdigest()


class WatchedBrowser(Protocol):
    """One set of cookies and storage, with the pages that share it."""

    number: int
    has_news: bool
    """Whether it has sent a request since the last snapshot."""

    @property
    def is_gone(self) -> bool: ...

    def take_snapshot(self, moment: str) -> None:
        """Takes a few seconds at most."""
        ...


class WatchedBrowsers(dict[Any, Any]):
    """All browsers of the process that are watched: `WatchedBrowser`s, by Playwright's context or Selenium's driver."""

    def __init__(self, ledger: TrafficLedger) -> None:
        super().__init__()
        self._ledger = ledger

    def alive(self) -> list[WatchedBrowser]:
        """In the sequence in which they were opened; those that are gone are forgotten."""
        for key in [key for key, each in self.items() if each.is_gone]:
            del self[key]
        return sorted(self.values(), key=lambda each: each.number)

    def opening(self, watch: Any, original: Any, *arguments: Any, **named: Any) -> Steps:
        """In place of a method that opens a browser: `watch(object, result)` adds it here."""
        try:
            result = yield original(*arguments, **named)
        except Exception as problem:
            self._ledger.not_started(problem)
            raise
        try:
            watch(arguments[0], result)
        except Exception as problem:  # noqa: BLE001 - the suite's browser is open, with us or without
            self._ledger.note(f"a browser was opened that could not be watched: {problem}")
        return result
