"""How a page is recognised: by what only pages of its kind show, or else by its address."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unknot.model.web.locator import Locator
from unknot.model.web.stars import matches
from unknot.model.web.web_model import WebModel, WebPage
from unknot.web.pages.writing.code import Chain
from unknot.web.pages.writing.literals import literal
from unknot.web.pages.writing.locator_code import best_locator, by_role, located
from unknot.web.pages.writing.methods import is_left_out

_MOST_STARS = 2

EXACT, PATTERN, ADDRESS = 0, 1, 2
"""How specific a sign is."""


@dataclass(frozen=True)
class PageSign:
    """`found` finds something in view; `address` is a regular expression, as a literal, that the address has to match
    as well, or empty."""

    found: Chain
    address: str = ""
    specificity: int = EXACT


class SignReader:
    """Finds signs that tell the classes of pages apart."""

    def __init__(self, model: WebModel, class_of: Mapping[str, str]) -> None:
        self._model = model
        self._class_of = class_of

    def sign(self, pages: Sequence[WebPage]) -> PageSign:
        """Of one class, which stands for these kinds of pages."""
        first = pages[0]
        recognised = next(filter(self._lasts(first), first.recognised_by), None)
        if recognised is not None and len(pages) == 1 and best_locator([recognised]):
            return PageSign(located(recognised, "self.page", (), exact=True))
        others = [page for page in self._model.pages if self._class_of[page.kind] != self._class_of[first.kind]]
        for heading in _headings(first):
            if "*" not in heading and self._is_the_same_on(pages, heading) and not _is_on(others, heading):
                return PageSign(by_role(Chain("self.page"), "heading", heading, exact=True))
        for heading in _headings(first):
            if _is_pattern(heading) and not _is_on(others, heading):
                return PageSign(_by_pattern(heading), specificity=PATTERN)
        is_alone = len({page.template for page in pages}) == 1
        has_own_address = is_alone and "*" in first.template and all(page.template != first.template for page in others)
        own = next(self._own_elements(first, others), None) if len(pages) == 1 else None
        if own is not None and not has_own_address:
            return PageSign(own)
        address = _address(first) if is_alone else ""
        heading = next(filter(_is_pattern, _headings(first)), "")
        if heading:
            return PageSign(_by_pattern(heading), address, ADDRESS)
        found = Chain("self.page")
        common = [each for each in first.common_headings if "*" not in each]
        if common and (len(pages) > 1 or not has_own_address):
            return PageSign(by_role(found, "heading", common[0], exact=True), address, ADDRESS)
        if first.headings:
            return PageSign(found.call("get_by_role", literal("heading")).attribute("first"), address, ADDRESS)
        return PageSign(found.call("locator", literal("body")), address, ADDRESS)

    def _lasts(self, page: WebPage) -> Callable[[Locator], bool]:
        """Whether a locator says more than that there was one page with this heading, which may be data."""
        return lambda each: each.role != "heading" or self._is_the_same_on([page], each.name)

    def _is_the_same_on(self, pages: Sequence[WebPage], heading: str) -> bool:
        """Not only because there was one page: then it may be data, which the address tells."""
        everywhere = all(heading in _headings(page) for page in pages)
        seen_once = sum(page.visits for page in pages) < 2
        return everywhere and not (seen_once and "*" in pages[0].template)

    def _own_elements(self, page: WebPage, others: Sequence[WebPage]) -> Iterator[Chain]:
        """What can be clicked or filled here and nowhere else, and is not data; forms first, since links and buttons
        may depend on the state."""
        elsewhere = {
            locator for other in others for each in self._model.actions_of(other) for locator in each.action.locators
        }
        for each in sorted(page.actions, key=lambda known: not known.action.fields):
            best = best_locator(each.action.locators)
            if best is None or best in elsewhere or best.nth is not None or each.action.row or is_left_out(each):
                continue
            yield located(best, "self.page", (), exact=True)


def _headings(page: WebPage) -> tuple[str, ...]:
    return page.common_headings or page.headings


def _is_pattern(heading: str) -> bool:
    return "*" in heading and any(map(str.isalpha, heading))


def _is_on(pages: Sequence[WebPage], heading: str) -> bool:
    """Whether one of the pages may have this heading."""
    wanted = _without_blanks(heading)
    return any(
        matches(wanted, other) or matches(_without_blanks(other), heading)
        for page in pages
        for other in (*page.headings, *page.common_headings)
        if other.strip("* ")
    )


def _without_blanks(heading: str) -> str:
    """Around its stars: they may stand for nothing."""
    return "*".join(part.strip() for part in heading.split("*"))


def _by_pattern(heading: str) -> Chain:
    """The words in place of the star may be none."""
    before, after = (part.strip() for part in (heading.partition("*")[0], heading.rpartition("*")[2]))
    begins = f"^{re.escape(before)}{_border(before[-1:])}" if before else ""
    ends = f"{_border(after[:1])}{re.escape(after)}$" if after else ""
    middle = ".*" if begins and ends else ""
    pattern = f"re.compile({_regular_literal(f'{begins}{middle}{ends}')})"
    return Chain("self.page").call("get_by_role", literal("heading"), f"name={pattern}")


def _border(char: str) -> str:
    return r"\b" if char.isalnum() else ""


def _address(page: WebPage) -> str:
    """That of pages of this kind, whatever their data; empty if it says nothing."""
    path, _, query = page.template.partition("?")
    if not path:
        return ""
    number = r"\d+" if re.search(r"/\d+(?=[/?#]|$)", page.address) else "[^/?#]+"
    where = "/".join(_address_part(part, number) for part in path.split("/"))
    names = query.partition("#")[0].split("&") if query else []
    parameters = "".join(f".*[?&]{re.escape(name)}=" for name in names[:1] if name)
    return _regular_literal(rf"//[^/]+{where}{parameters or '([?#]|$)'}")


def _address_part(part: str, star: str) -> str:
    """With two stars at most: with many, a search could go back without end."""
    if part.count("*") > _MOST_STARS:
        part, star = f"{part.partition('*')[0]}*{part.rpartition('*')[2]}", "[^/?#]+"
    return star.join(map(re.escape, part.split("*")))


def _regular_literal(pattern: str) -> str:
    """As a raw string where that is possible: backslashes are easier to read then."""
    # `re.escape` escapes blanks as well, for the sake of verbose expressions, which these are not.
    plain = pattern.replace("\\ ", " ").replace("\\-", "-").replace("\\#", "#").replace("\\&", "&")
    is_raw = plain.isprintable() and '"' not in plain and not plain.endswith("\\") and "\\" in plain
    return f'r"{plain}"' if is_raw else literal(plain)
