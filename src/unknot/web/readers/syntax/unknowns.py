"""Values of which no text is known, but where they come from: enough to tell when something is missed."""

from dataclasses import dataclass

from unknot.model.recording import Frame
from unknot.web.readers.syntax.values import Unknown
from unknot.web.readers.syntax.words import words


@dataclass(frozen=True)
class Browser(Unknown):
    """A page, a driver or a browser: whoever gets it can type."""


@dataclass(frozen=True)
class Unread(Unknown):
    """Something of a package of which nothing is known but its name there."""

    name: str


@dataclass(frozen=True)
class Outside(Unknown):
    """What code that cannot be read has made of the browser: a page object of another package. It may type whatever it
    is told."""

    maker: str


@dataclass(frozen=True)
class Uncounted(Unknown):
    """The number of a round of a loop, or a text made of it, where nobody knows how many rounds there are."""

    loop: Frame


BROWSER = Browser()

BROWSER_NAMES = words("page driver browser webDriver webdriver webPage")
"""What people call it."""
