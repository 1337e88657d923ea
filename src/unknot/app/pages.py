"""Page objects of a project: what they say about navigation."""

from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.model.errors import StorageError, UsageError
from unknot.model.navigation_graph import NavigationGraph
from unknot.model.sanitise import shown
from unknot.web.pages.extraction import extract_navigation_graph


def graph_of_page_objects(directory: Path, start: str, listener: ProgressListener) -> NavigationGraph:
    """Reads the Python files of the directory, or one file; runs none of them. Raises UsageError if there is nothing to
    read or no page object in it, StorageError for a file that cannot be read."""
    extracted = extract_navigation_graph(_texts(directory), start)
    if extracted.stays:
        listener.note(
            "no method returns a page object, so every method is shown as staying on its page;"
            " let methods return the page that follows"
        )
    return extracted.graph


def _texts(directory: Path) -> dict[str, str]:
    if not directory.exists():
        raise UsageError(
            f"{shown(str(directory))} does not exist",
            hint="Name the directory with the page objects, or one file.",
            slug="pages-none",
        )
    files = [directory] if directory.is_file() else sorted(directory.rglob("*.py"))
    texts = {}
    for file in files:
        name = file.name if directory.is_file() else file.relative_to(directory).as_posix()
        try:
            texts[name] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError as problem:
            raise UsageError(
                f"{shown(str(file))} is not UTF-8",
                hint="Save the file as UTF-8, or leave it out.",
                slug="pages-not-python",
            ) from problem
        except OSError as problem:
            raise StorageError(
                f"{shown(str(file))} cannot be read: {problem.strerror}",
                hint="Check its permissions.",
                slug="pages-unreadable",
            ) from problem
    return texts
