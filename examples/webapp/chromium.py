"""Where the browser is, and how it is started: without a window, and so that it reaches nothing but this machine."""

import os
import shutil

NAMES = ("/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell", "chromium", "google-chrome")
"""The shells have no windows to draw and nothing else that only a person needs: a test takes them two thirds of the
work. Debian's is started by its full name: on the path there is a script that starts it, and ending the script,
as chromedriver does, leaves the browser behind."""

EXECUTABLE = os.environ.get("LIBRARY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
DRIVER = os.environ.get("LIBRARY_CHROMEDRIVER") or shutil.which("chromedriver") or ""

FLAGS = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]
