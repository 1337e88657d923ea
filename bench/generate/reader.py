"""Reads pages of simulated applications, of which each always has the same controls."""

from unknot.model.web.action import Action
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.value_lists import value_lists
from unknot.web.crawl.view import View


class TitleReader(PageReader):
    """Gives the views of a PageReader that goes by titles, but looks for the actions of each page once: that was four
    fifths of the time of a run."""

    def __init__(self) -> None:
        super().__init__(KindByTitle())
        self._actions: dict[str, tuple[Action, ...]] = {}

    def view(self, observation: Observation) -> View:
        title = observation.title
        if title not in self._actions:
            self._actions[title] = super().view(observation).actions
        lists = (each for each in observation.root.children if each.role == "list")
        values = dict.fromkeys(item.all_text() for each in lists for item in each.children)
        return View(observation, title, self._actions[title], tuple(values), lists=value_lists(observation.root))
