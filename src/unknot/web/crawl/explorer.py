"""What chooses the next step of a crawl."""

from dataclasses import dataclass
from typing import Protocol, Self

from unknot.model.web.action import Action
from unknot.web.crawl.view import View


@dataclass(frozen=True)
class ChosenStep:
    """An action, and what to enter: values by the labels of its fields."""

    action: Action
    values: tuple[tuple[str, str], ...] = ()


class Explorer(Protocol):
    """A crawl strategy. Deterministic: the same seed and the same views lead to the same choices.

    It has two parts: what was learned of the application, which the explorers of several workers share, and what
    belongs to one walk through it, such as the values that were typed since the reset. Calls never overlap. `begin` and
    `learn` may be called with what was not chosen here: with steps that an earlier session has recorded, in their
    sequence. After `choose` comes either `learn` or, if the step came to nothing, `begin`."""

    def companion(self, seed: int) -> Self:
        """For another worker: a walk of its own, and what was and will be learned in common."""

    def begin(self, view: View) -> None:
        """After a reset: the page at which the application begins."""

    def choose(self, view: View) -> ChosenStep | None:
        """The next step on this page; None for a reset."""

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        """What the step that was chosen led to."""
