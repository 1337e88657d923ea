"""What Python adds to the intermediate language: its functions and classes, imports, `with` and `super()`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from unknot.web.readers.interpreter.code import ClassCode, Code, FunctionCode


@dataclass(frozen=True)
class PythonSignature:
    """The names of parameters. `rest` and `keyword_rest` are those with stars, or empty."""

    positional: tuple[str, ...] = ()
    keyword_only: tuple[str, ...] = ()
    rest: str = ""
    keyword_rest: str = ""


class PythonFunctionCode(FunctionCode):
    """`defaults` are those of the last positional parameters; None stands for a keyword without one. `annotations` are
    the classes that annotations of parameters name. `accessor` is "setter" or "deleter" of a property."""

    signature: PythonSignature = field(default_factory=PythonSignature)
    defaults: tuple[Code, ...] = ()
    keyword_defaults: tuple[Code | None, ...] = ()
    annotations: Mapping[str, Code] = field(default_factory=dict)
    decorators: tuple[Code, ...] = ()
    accessor: str = ""

    @property
    def required(self) -> list[str]:
        """The parameters that a caller must give, by name."""
        positional = self.signature.positional
        keyword_only = zip(self.signature.keyword_only, self.keyword_defaults, strict=True)
        return [
            *positional[: len(positional) - len(self.defaults)],
            *(name for name, default in keyword_only if default is None),
        ]


class PythonClassCode(ClassCode):
    """`fields` are the annotated names of the body, in sequence."""

    bases: tuple[Code, ...] = ()
    keywords: tuple[Code, ...] = ()
    decorators: tuple[Code, ...] = ()
    body: Code | None = None
    fields: tuple[str, ...] = ()


class ImportCode(Code):
    """`names` are pairs of the name there, empty for the whole module, and the name here. `level` is the number of dots
    before the module."""

    module: str
    names: tuple[tuple[str, str], ...]
    level: int = 0


class WithCode(Code):
    """Pairs of a context manager and what `as` names."""

    managers: tuple[tuple[Code, Code | None], ...]
    body: Code


class SuperCode(Code):
    arguments: tuple[Code, ...]
