"""An observation as a crawler sees it: the kind of page, and what can be done there."""

from dataclasses import dataclass

from unknot.model.web.action import Action
from unknot.model.web.code_coverage import CodeSize
from unknot.model.web.web_model import ValueList
from unknot.web.application.observation import Observation


@dataclass(frozen=True)
class View:
    """`kind` names the kind of page. `values` are the pieces of data in view, each once, in the order of the page.
    `spared` are the actions that are left alone, each with the reason. `gain` is how much code ran that had not run
    before in this crawl; None if that is not measured. `rejection` is what the application said if it did not accept
    the step that led here. `lists` are the named lists of values in view, with all values."""

    observation: Observation
    kind: str
    actions: tuple[Action, ...]
    values: tuple[str, ...] = ()
    spared: tuple[tuple[Action, str], ...] = ()
    gain: CodeSize | None = None
    rejection: str = ""
    lists: tuple[ValueList, ...] = ()

    @property
    def refusal(self) -> str:
        """Why the step did not work: it could not be performed, or the application did not accept it."""
        return self.observation.refusal or self.rejection

    @property
    def refused(self) -> bool:
        return bool(self.refusal)
