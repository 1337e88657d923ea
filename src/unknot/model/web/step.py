"""What can be done on a page."""

from dataclasses import dataclass

from unknot.model.web.locator import Locator


@dataclass(frozen=True, slots=True)
class FieldInput:
    """What to type, choose or tick (`on`, `off`) in a field. `locators` are tried in this order."""

    locators: tuple[Locator, ...]
    value: str


@dataclass(frozen=True, slots=True)
class PageStep:
    """Fills the fields, then clicks what the first of `locators` that finds exactly one element means. Without
    locators, presses Enter in the last field, if that is one for text."""

    locators: tuple[Locator, ...]
    inputs: tuple[FieldInput, ...] = ()
