"""What page objects of a project, or the model of a crawl, say about navigation."""

from dataclasses import replace
from pathlib import Path

from unknot.app.progress import ProgressListener
from unknot.model.errors import StorageError, UsageError
from unknot.model.navigation_graph import NavigationGraph
from unknot.model.sanitise import shown
from unknot.model.web.web_model import WebModel
from unknot.store.web_model_file import read_web_model
from unknot.web.pages.extraction import extract_navigation_graph


def model_of_crawl(file: Path, start: str) -> WebModel | None:
    """The model in a file that `unknot crawl` has written, beginning at another kind of page if one is named; None for
    anything but a JSON file. Raises StorageError for a damaged one, UsageError if there is no such kind of page."""
    if file.suffix != ".json":
        return None
    model = read_web_model(file)
    kinds = [page.kind for page in model.pages]
    if start and start not in kinds:
        raise UsageError(
            f"{shown(str(file))} has no page {shown(start)}",
            hint=f"Name one of {', '.join(map(shown, kinds[:10]))}.",
            slug="pages-no-start",
        )
    return replace(model, start=start or model.start)


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
