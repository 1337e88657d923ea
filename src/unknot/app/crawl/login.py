"""The user's login function."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unknot.model.errors import UsageError
from unknot.model.sanitise import shown


def login_function(named: str, directory: Path) -> Callable[[Any], None]:
    """`tests/login.py::login`, imported with the directory on the path. It is the user's own code. Raises UsageError if
    there is no such file or function, or if the file cannot be imported."""
    file, separator, name = named.partition("::")
    path = directory / file
    if not separator or not name or not path.is_file():
        raise _unusable(named, "there is no such file" if separator else "it names no function")
    spec = importlib.util.spec_from_file_location("unknot_login", path)
    if spec is None or spec.loader is None:
        raise _unusable(named, "it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(directory))
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise _unusable(named, f"{type(problem).__name__}: {problem}") from problem
    finally:
        sys.path.remove(str(directory))
    function = getattr(module, name, None)
    if not callable(function):
        raise _unusable(named, f"the file has no function {name}")
    found: Callable[[Any], None] = function
    return found


def _unusable(named: str, why: str) -> UsageError:
    return UsageError(
        f"--login {shown(named)}: {shown(why)}",
        hint="Write it as FILE::FUNCTION; the function takes a Playwright `page`, for example tests/login.py::login.",
        slug="crawl-login",
    )
