"""A hook of the documentation site: links from a page to a file outside docs/ lead to the repository's web view.

Pages link to such files by relative paths, which work in a checkout and in the web view. The target must exist;
otherwise the link stays as it is, and the build reports it.
"""

import re
from pathlib import Path
from typing import Any

_LINK = re.compile(r"\]\((\.\./[^)\s#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: object) -> str:
    """Called by MkDocs for the text of each page."""
    docs = Path(config.docs_dir)
    here = Path(page.file.abs_src_path).parent

    def to_repository(link: re.Match[str]) -> str:
        target = (here / link[1]).resolve()
        if target.is_relative_to(docs) or not target.exists():
            return link[0]
        view = "tree" if target.is_dir() else "blob"
        return f"]({config.extra['repository']}/{view}/main/{target.relative_to(docs.parent)}{link[2] or ''})"

    return _LINK.sub(to_repository, markdown)
