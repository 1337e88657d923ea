"""`python instance.py DIRECTORY PORT BROWSER_PORT`: a library and a browser, for all orders that one worker runs.

Tests attach to the browser by its debugging port, so that no order has to start one. If the browser ends, so does the
library: then both are started again.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from chromium import EXECUTABLE, FLAGS
from library.server import serving


def main(directory: Path, port: int, browser_port: int) -> int:
    server = serving(directory / "library.db", port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    profile = directory / "browser"
    flags = [*FLAGS, f"--remote-debugging-port={browser_port}", f"--user-data-dir={profile}", "about:blank"]
    # Debian's browsers are shell scripts that start one: both are to end.
    browser = subprocess.Popen([EXECUTABLE, *flags], start_new_session=True)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(browser.pid, signal.SIGTERM))
    return browser.wait()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if not EXECUTABLE:
        sys.exit("no browser: install chromium, or set LIBRARY_CHROMIUM")
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
