"""The state abstractions of Crawljax: two observations are the same page if their documents are alike.

Reference
    A. Mesbah, A. van Deursen, S. Lenselink, "Crawling Ajax-based web applications through dynamic analysis of user
    interface state changes", ACM Transactions on the Web 6 (2012). Which threshold is best differs between
    applications: R. Yandrapally, A. Stocco, A. Mesbah, "Near-duplicate detection in web app model inference", ICSE
    2020. Crawljax compares Levenshtein distances that are divided by the longer length, and tree distances that are
    divided by the larger tree.
"""

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from rapidfuzz.distance import Levenshtein

from unknot.model.web.action import Action
from unknot.web.application.observation import Observation
from unknot.web.crawl.addresses import address_template, without_parameters
from unknot.web.crawl.page_kinds.documents import document_text, tag_tree
from unknot.web.crawl.page_kinds.noise import Noise
from unknot.web.crawl.page_kinds.page_names import numbered
from unknot.web.crawl.page_kinds.tree_distance import OrderedTree, is_within

LEVENSHTEIN_THRESHOLD, TREE_THRESHOLD = 0.9, 0.9
"""How much of two documents must be the same."""

_Document = TypeVar("_Document")


class DomKinds(Generic[_Document]):
    """Compares each document with the first one of every kind, in the order in which these were found: an observation
    is of the first kind that it is like. No learning, and no second look."""

    needs_html = True
    noise = Noise()

    def __init__(self) -> None:
        self._known: list[tuple[str, _Document]] = []
        self._names: dict[Hashable, str] = {}

    def kind_of(self, observation: Observation) -> str:
        document = self._document(observation)
        key = self._key(document)
        if key not in self._names:
            self._names[key] = self._name(document, observation)
        return self._names[key]

    def _name(self, document: _Document, observation: Observation) -> str:
        for name, known in self._known:
            if self._are_alike(known, document):
                return name
        template = without_parameters(address_template(observation.address)) or "/"
        name = numbered(template, {name for name, _ in self._known})
        self._known.append((name, document))
        return name

    def typed(self, values: Sequence[str]) -> None:
        pass

    def wants_twin(self, observation: Observation) -> bool:  # noqa: ARG002
        return False

    def led_to(self, before: Observation, kind: str, action: Action, target: str) -> None:
        pass

    def _document(self, observation: Observation) -> _Document:
        raise NotImplementedError

    def _key(self, document: _Document) -> Hashable:
        """Equal for equal documents."""
        raise NotImplementedError

    def _are_alike(self, known: _Document, other: _Document) -> bool:
        raise NotImplementedError


class ExactDom(DomKinds[str]):
    """The same string."""

    def _document(self, observation: Observation) -> str:
        return document_text(observation)

    def _key(self, document: str) -> Hashable:
        return document

    def _are_alike(self, known: str, other: str) -> bool:
        return known == other


class LevenshteinDom(DomKinds[str]):
    """Strings of which at least this share is the same. Cost: quadratic in the documents, 64 characters at a time."""

    def __init__(self, threshold: float = LEVENSHTEIN_THRESHOLD) -> None:
        super().__init__()
        self._threshold = threshold

    def _document(self, observation: Observation) -> str:
        return document_text(observation)

    def _key(self, document: str) -> Hashable:
        return document

    def _are_alike(self, known: str, other: str) -> bool:
        return Levenshtein.normalized_similarity(known, other, score_cutoff=self._threshold) >= self._threshold


class TreeEditDom(DomKinds[OrderedTree]):
    """Trees of tags of which at least this share is the same."""

    def __init__(self, threshold: float = TREE_THRESHOLD) -> None:
        super().__init__()
        self._threshold = threshold

    def _document(self, observation: Observation) -> OrderedTree:
        return OrderedTree(tag_tree(observation))

    def _key(self, document: OrderedTree) -> Hashable:
        return tuple(document.labels), tuple(document.first_leaves)

    def _are_alike(self, known: OrderedTree, other: OrderedTree) -> bool:
        return is_within(known, other, (1 - self._threshold) * max(len(known), len(other)))
