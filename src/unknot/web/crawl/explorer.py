"""Who chooses the next step of a crawl."""

from dataclasses import dataclass
from typing import Protocol

from unknot.web.crawl.view import Action, View


@dataclass(frozen=True)
class ChosenStep:
    """An action, and what to enter: values by the labels of its fields."""

    action: Action
    values: tuple[tuple[str, str], ...] = ()


class Explorer(Protocol):
    """A crawl strategy. Deterministic: the same seed and the same views lead to the same choices."""

    def begin(self, view: View) -> None:
        """After a reset: the page at which the application begins."""

    def choose(self, view: View) -> ChosenStep | None:
        """The next step on this page; None for a reset."""

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        """What the step that was chosen led to."""
