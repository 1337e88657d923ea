"""What became of the files when page objects were written."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PageFiles:
    """Paths below the directory of the page objects. `written` were generated, new or because they differ; `made` are
    the user's, written for the first time; `kept` are as they were. `gone` are generated files for kinds of pages that
    the model no longer has: they are left where they are."""

    written: tuple[str, ...]
    made: tuple[str, ...]
    kept: tuple[str, ...]
    gone: tuple[str, ...]
