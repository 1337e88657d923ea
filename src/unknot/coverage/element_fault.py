"""What is wrong with a file of elements."""


class ElementFault(Exception):
    """The text does not say which test covers what. `hint` says what to do, where that is known here."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint
