"""The files of page objects that were written, for a terminal and as data."""

from rich.text import Text

from unknot.model.sanitise import shown
from unknot.model.web.page_files import PageFiles
from unknot.report.text.lines import Lines
from unknot.report.wording import counted

_FORMAT = 1


def page_files_text(files: PageFiles, directory: str) -> Text:
    lines = Lines()
    counts = (
        f"{counted(len(files.written), 'file')} written",
        f"{len(files.made)} made for you" if files.made else "",
        f"{len(files.kept)} kept" if files.kept else "",
        f"{len(files.gone)} without a page" if files.gone else "",
    )
    lines.line(f"{shown(directory)}: {', '.join(filter(None, counts))}", "bold")
    parts = (
        ("written from the model", files.written),
        ("made for you, and yours from now on", files.made),
        ("the model has no such page any more; delete the file, and yours, if you agree", files.gone),
    )
    for title, paths in parts:
        if paths:
            lines.line()
            lines.line(title)
            for path in paths:
                lines.line(f"  {shown(path)}")
    return lines.text


def page_files_json(files: PageFiles) -> dict[str, object]:
    """Described in docs/reference/pages.md."""
    return {
        "format": _FORMAT,
        "written": list(files.written),
        "made": list(files.made),
        "kept": list(files.kept),
        "gone": list(files.gone),
    }
