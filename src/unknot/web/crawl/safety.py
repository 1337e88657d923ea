"""What a crawl leaves alone, and why."""

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from unknot.web.crawl.view import Action

_SPARED = (
    ("logs out", re.compile(r"\b(log|sign)[ -]?(out|off)\b|\blogout\b|\bsignout\b")),
    ("pays", re.compile(r"\b(pay|buy|purchase|check ?out|order now|subscribe|donate)\b")),
    ("sends", re.compile(r"\b(send|e-?mail|invite|share|publish|notify)\b")),
    ("deletes an account", re.compile(r"\b(delete|close|remove|deactivate)\b.*\b(account|profile|myself)\b")),
)
_DELETES = re.compile(r"\b(delete|remove|destroy|drop|purge|erase|wipe|discard|trash|retire)\b")


@dataclass(frozen=True)
class Safety:
    """`origins` are those that links may lead to. `writes`: forms may be sent and things deleted, because the
    application is put back afterwards, or because the user says so. `allowed` are words of actions that would be spared
    otherwise."""

    origins: frozenset[str]
    writes: bool
    allowed: tuple[str, ...] = ()

    def why_not(self, action: Action, address: str) -> str:
        """Why the action is left alone on the page at this address; empty if it is not."""
        name = action.name.lower()
        if action.href and (why := self._link(action.href, address)):
            return why
        if any(word.lower() in name for word in self.allowed):
            return ""
        for why, pattern in _SPARED:
            if pattern.search(name):
                return why
        if not self.writes and (action.writes or _DELETES.search(name)):
            return "changes data"
        return ""

    def _link(self, href: str, address: str) -> str:
        try:
            parts = urlsplit(urljoin(address, href))
            port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        except ValueError:
            return "leads nowhere"
        if parts.scheme not in ("http", "https"):
            return "" if parts.scheme == "javascript" else f"is a {parts.scheme} link"
        return "" if f"{parts.scheme}://{parts.hostname}:{port}" in self.origins else "leads to another site"
