"""A library for a plain run of a suite: in this process, on a free port, gone at the end."""

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from library.server import serving


@contextmanager
def local_library() -> Iterator[str]:
    """Its address."""
    with tempfile.TemporaryDirectory() as directory:
        server = serving(Path(directory) / "library.db", 0)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
