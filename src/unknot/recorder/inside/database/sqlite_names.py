"""Which file `sqlite3.connect` means."""

from urllib.parse import unquote

from unknot.recorder.inside.files.real_paths import text_of

MEMORY = ":memory:"


def database_file(database: object) -> str:
    """Empty for databases without a file: in memory, or a temporary one.

    A name that starts with `file:` is taken for a URI, though `connect` wants to be told so.

    >>> database_file("file:data/shop.db?mode=ro")
    'data/shop.db'
    >>> database_file("file:shared?mode=memory&cache=shared")
    ''
    """
    name = text_of(database)
    if name.startswith("file:"):
        name, _, options = name.removeprefix("file:").partition("#")[0].partition("?")
        if "mode=memory" in options.split("&"):
            return ""
        name = unquote(name)
        if name.startswith("//"):
            # An authority: empty or "localhost".
            name = "/" + name[2:].partition("/")[2]
    return "" if name.startswith(MEMORY) else name
