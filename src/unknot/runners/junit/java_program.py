"""The Java that runs a suite, and its compiler."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import UsageError

_SECONDS = 60
"""Java says its version in a tenth of one."""

_INSTALL = "install a JDK (Debian: apt-get install default-jdk-headless), or name the program by `java`"


@dataclass(frozen=True)
class JavaProgram:
    """`version` is what it says about itself, in one line."""

    program: str
    version: str

    @property
    def compiler(self) -> list[str]:
        """The words that start its compiler. One of another version could write classes that this one cannot read."""
        beside = Path(os.path.realpath(self.program)).parent / "javac"
        return (
            [str(beside)]
            if os.access(beside, os.X_OK)
            else [self.program, "-m", "jdk.compiler/com.sun.tools.javac.Main"]
        )


def find_java(named: str, where: str) -> JavaProgram:
    """The program named, or that of JAVA_HOME, or the first of PATH. Raises UsageError if it does not run."""
    program = named or _default()
    found = shutil.which(program)
    if found is None:
        raise UsageError(f"{where}: there is no Java: `{program}` is not a program", hint=_INSTALL)
    try:
        done = subprocess.run(
            [found, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise UsageError(f"{where}: `{found}` does not run: {problem}", hint=_INSTALL) from None
    if done.returncode != 0 or not done.stdout.strip():
        told = (done.stderr or done.stdout).strip().splitlines()[:1]
        raise UsageError(
            f"{where}: `{found} --version` fails: {' '.join(told) or f'status {done.returncode}'}",
            hint="it must be Java 11 or later; " + _INSTALL,
        )
    return JavaProgram(os.path.abspath(found), " / ".join(done.stdout.strip().splitlines()))


def _default() -> str:
    home = os.environ.get("JAVA_HOME", "")
    beside = os.path.join(home, "bin", "java")
    return beside if home and os.access(beside, os.X_OK) else "java"
