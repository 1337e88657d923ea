"""Who answers the one question: a browser, a simulated application, or a recorded trace."""

from typing import Protocol

from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation


class Application(Protocol):
    """Crawlers and generators are functions of it and a seed, and do not know which of the three it is.

    Guarantee
        The same steps after a reset lead to the same observations, up to noise.
    """

    def reset(self) -> Observation:
        """Back to the clean state, at the page where the application begins. Raises RunnerError if that fails."""

    def perform(self, step: PageStep) -> Observation:
        """One step on the page in view. An element that is not there, not unique or not enabled is a refusal in the
        observation, not an error. Raises RunnerError if the application is lost."""

    def look_again(self) -> Observation | None:
        """The page in view once more, made by the application from the same state, so that whatever differs is noise.
        None if that cannot be had: after a step that did not load the page by GET, such as one that a script of the
        page answered. The page in view is then the new one. Raises RunnerError if the application is lost."""
