"""The scripts that read a page, in JavaScript, and what becomes of their results. Nothing is changed in the page."""

import hashlib
from typing import Any

_MOST_ENTRIES = 200

LOOK = """async (root) => {
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
"""Takes the root element, or nothing. Cost: a few milliseconds in the page, and at most a second if its databases do
not answer."""


class Kept:
    """What a context keeps, put together from what its pages say. `entries` are kind, origin or domain, name, and a
    digest of the value: the value itself is not kept. `places` are the origins that could be seen."""

    def __init__(self) -> None:
        self.entries: list[list[str]] = []
        self.places: list[str] = []

    def add_page(self, answer: dict[str, Any]) -> None:
        origin = str(answer.get("origin", "null"))
        if origin == "null":
            return
        self.places.append(origin)
        for kind, name, value in answer.get("entries", ())[: 5 * _MOST_ENTRIES]:
            self.entries.append([str(kind), origin, str(name), _digest(str(value))])

    def add_cookies(self, cookies: list[Any]) -> None:
        """Of whatever tool: they are dictionaries of nearly the same kind."""
        for each in cookies[:_MOST_ENTRIES]:
            value = _digest(str(each.get("value", "")))
            self.entries.append(["cookie", str(each.get("domain", "")), str(each.get("name", "")), value])


def _digest(value: str) -> str:
    return hashlib.blake2s(value.encode("utf-8", "replace"), digest_size=8).hexdigest()
