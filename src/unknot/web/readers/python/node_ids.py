"""What pytest's name of a test says about where its code is."""

from dataclasses import dataclass

from unknot.model.suite import TestId


@dataclass(frozen=True, slots=True)
class NodeId:
    """`path::Class::Inner::function[case]`."""

    path: str
    classes: tuple[str, ...]
    function: str
    case: str

    @classmethod
    def of(cls, test: TestId) -> "NodeId":
        path, _, inside = test.partition(".py::")
        name, bracket, case = inside.partition("[")
        *classes, function = name.split("::")
        return cls(
            f"{path}.py" if inside else path, tuple(classes), function, case.removesuffix("]") if bracket else ""
        )
