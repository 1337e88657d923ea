"""How the browsers of a crawl are used, the same for all of its workers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unknot.web.browser.browser_application import Login


@dataclass(frozen=True, kw_only=True)
class BrowserSettings:
    """`also` are further origins that may be reached. `keeps_login`: `login` is called again when the login is lost.
    `keeps_html`: observations have the document. `reads_only`: nothing that may change
    data is sent but by the login. `measures_code`: they say which code ran; `libraries` are patterns for
    scripts that are not the application's own code."""

    login: "Login | None" = None
    also: tuple[str, ...] = ()
    keeps_login: bool = True
    keeps_html: bool = False
    reads_only: bool = False
    measures_code: bool = False
    libraries: tuple[str, ...] = ()
