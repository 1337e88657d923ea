"""`python instance.py DIRECTORY PORT BROWSER_PORT`: ihatemoney and a browser, for all orders that one worker runs.

Tests attach to the browser by its debugging port, so that no order has to start one. If one of the two ends, so does
the other.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from application import serving
from chromium import EXECUTABLE, FLAGS


def main(directory: Path, port: int, browser_port: int) -> int:
    profile = directory / "browser"
    flags = [*FLAGS, f"--remote-debugging-port={browser_port}", f"--user-data-dir={profile}", "about:blank"]
    # Debian's browser may be a shell script that starts one: both are to end.
    browser = subprocess.Popen([EXECUTABLE, *flags], start_new_session=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server = serving(directory, port)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return browser.wait()
    finally:
        if browser.poll() is None:
            os.killpg(browser.pid, signal.SIGTERM)
            browser.wait()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if not EXECUTABLE:
        sys.exit("no browser: install chromium")
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
