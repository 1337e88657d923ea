"""Where the browser is, and how it is started: without a window, and so that it reaches nothing but this machine."""

import os
import shutil

EXECUTABLE = os.environ.get("LIBRARY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or ""
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
