"""Which observations are of the same kind of page."""

from typing import Protocol

from unknot.web.application.observation import Observation


class PageKinds(Protocol):
    """Gives observations the names of page kinds."""

    def kind_of(self, observation: Observation) -> str: ...


class KindByTitle:
    """For simulated applications, and for page objects: the title says which page it is."""

    def kind_of(self, observation: Observation) -> str:
        return observation.title
