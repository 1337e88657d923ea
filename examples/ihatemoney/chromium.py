"""Where the browser is, and how it is started: without a window, and so that it reaches nothing but this machine."""

import os
import shutil

NAMES = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium")

EXECUTABLE = next(filter(None, map(shutil.which, NAMES)), "")

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
    "--force-prefers-reduced-motion",
    "--lang=en-US",
    # The application folds its menu when the window is narrow.
    "--window-size=1280,900",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]
