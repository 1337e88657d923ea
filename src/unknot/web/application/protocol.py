"""Who answers the one question: a browser, a simulated application, or a recorded trace."""

from typing import Protocol

from unknot.web.application.observation import Observation
from unknot.web.application.step import PageStep


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
