"""Which requests and answers are about data."""

_TEXT = ("text/html", "text/plain", "text/xml", "application/xml", "application/xhtml", "json", "graphql", "text/csv")
_DECORATION = frozenset(
    {"image", "stylesheet", "script", "font", "media", "manifest", "texttrack", "websocket", "eventsource", "preflight"}
)


def is_text(content_type: str) -> bool:
    """Whether an answer of this type may show what tests have entered. An endless one (`text/event-stream`) is none."""
    return any(kind in content_type.lower() for kind in _TEXT)


def tells(resource: str, url: str) -> bool:
    """Whether a request for this kind of resource is more than decoration."""
    return resource.lower() not in _DECORATION and not url.endswith("/favicon.ico")
