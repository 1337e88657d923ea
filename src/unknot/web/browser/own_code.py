"""Which scripts of a page are the application's own code, and which are libraries that it uses."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from unknot.web.browser.launch import in_origins

_LIBRARY_FOLDERS = frozenset({"vendor", "vendors", "node_modules", "bower_components", "third-party", "third_party"})

_LIBRARIES = re.compile(
    r"(jquery|bootstrap|popper|react|react-dom|vue|vue-router|vuex|angular|ember|backbone|underscore|lodash|knockout"
    r"|htmx|alpine|stimulus|turbo|moment|luxon|dayjs|d3|chart|select2|datatables|leaflet|handlebars|mustache|require"
    r"|modernizr|polyfill|core-js|tinymce|ckeditor|codemirror|socket\.io)"
    # A version, a build or a plugin of the library: jquery-3.7.1.slim.min.js, jquery.form.js, bootstrap.bundle.js.
    r"([.\-_][\w.\-]*)?\.m?js"
)
"""Files of well-known libraries."""

_BUNDLER = ("webpack/", "(webpack)", "vite/", "\0")
"""How the names of sources begin that a bundler has added."""


class OwnCode:
    """Tells own code by where it comes from: `origins` as `origin_of` writes them, and `libraries`, patterns as of a
    shell for paths of scripts that are none.

    >>> own = OwnCode(["http://127.0.0.1:80"], ["*/legacy/*"])
    >>> own.path("http://127.0.0.1/static/app.js?v=2")
    '/static/app.js'
    >>> own.path("http://127.0.0.1/static/jquery-3.7.1.min.js"), own.path("http://elsewhere/a.js")
    ('', '')
    """

    def __init__(self, origins: Iterable[str], libraries: Iterable[str] = ()) -> None:
        self._origins = frozenset(origins)
        self._libraries = tuple(libraries)

    def path(self, address: str) -> str:
        """The path of a script; empty if it is not own code."""
        path = urlsplit(address).path if self.reaches(address) else ""
        return "" if self._is_library(path) else path

    def reaches(self, address: str) -> bool:
        """Whether it is of one of the origins."""
        return in_origins(address, self._origins)

    def source(self, name: str) -> str:
        """The path of a source that a bundler names, such as `webpack:///./src/app.js`; empty if it is not own code."""
        path = re.sub(r"^[a-z-]+://[^/]*", "", name).lstrip("/")
        while path.startswith(("./", "../")):
            path = path.partition("/")[2]
        return "" if path.startswith(_BUNDLER) or self._is_library(f"/{path}") else path

    def _is_library(self, path: str) -> bool:
        *folders, file = path.split("/")
        return (
            not _LIBRARY_FOLDERS.isdisjoint(folders)
            or _LIBRARIES.fullmatch(file) is not None
            or any(fnmatchcase(path, pattern) for pattern in self._libraries)
        )
