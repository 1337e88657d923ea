"""What goes wrong in an application, with the steps that show it."""

from dataclasses import dataclass

from unknot.web.application.observation import EventKind
from unknot.web.suite.draft import Draft


@dataclass(frozen=True)
class FaultDraft:
    """After the last step of the draft, the page, the console or the server says `text`, each time that it was
    replayed. `text` is hostile."""

    kind: EventKind
    text: str
    draft: Draft
