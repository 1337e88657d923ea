"""Which files import which others, according to their sources."""

from unknot.coverage.imports import ImportGraph

SOURCES = {
    "src/pkg/__init__.py": "from .a import thing\n",
    "src/pkg/a.py": "from . import b\nimport json\n",
    "src/pkg/b.py": "thing = 1\n",
    "src/pkg/sub/__init__.py": "",
    "src/pkg/sub/c.py": "from ..b import thing\ndef f():\n    from pkg.sub import d\n",
    "src/pkg/sub/d.py": "",
    "src/pkg/plugin.py": "",
    "tests/test_it.py": "import pkg.sub.c\nNAME = 'pkg.plugin'\n",
    "tests/test_other.py": "import json\n",
    "tests/test_computed.py": "import importlib\nmodule = importlib.import_module(NAME)\n",
    "tests/test_broken.py": "def (",
}
MODULES = {
    **{f"pkg.{name}": f"src/pkg/{name}.py" for name in ("a", "b", "plugin")},
    **{"pkg": "src/pkg/__init__.py", "pkg.sub": "src/pkg/sub/__init__.py"},
    **{f"pkg.sub.{name}": f"src/pkg/sub/{name}.py" for name in ("c", "d")},
}


def names(files: frozenset[str]) -> set[str]:
    return {file.removeprefix("src/pkg/") for file in files}


def test_packages_relative_and_late_imports_and_strings_count() -> None:
    for graph in (ImportGraph(SOURCES, MODULES), ImportGraph(SOURCES)):
        assert names(graph.imported_by("src/pkg/a.py")) >= {"b.py"}
        assert names(graph.imported_by("tests/test_it.py")) == {
            "__init__.py",
            "sub/__init__.py",
            "sub/c.py",
            "plugin.py",
        }
        assert names(graph.imported_by("src/pkg/sub/c.py")) >= {"b.py", "sub/d.py"}


def test_reach_goes_on_through_others() -> None:
    reached = ImportGraph(SOURCES, MODULES).reach(["tests/test_it.py"])
    assert names(reached) == {
        *("tests/test_it.py", "__init__.py", "a.py", "b.py", "plugin.py"),
        *("sub/__init__.py", "sub/c.py", "sub/d.py"),
    }
    assert ImportGraph(SOURCES, MODULES).reach(["tests/test_other.py"]) == {"tests/test_other.py"}


def test_a_computed_name_or_a_broken_file_may_import_anything() -> None:
    graph = ImportGraph(SOURCES, MODULES)
    for file in ("tests/test_computed.py", "tests/test_broken.py"):
        assert graph.imported_by(file) == frozenset(SOURCES) - {file}


def test_imports_in_a_circle_end() -> None:
    graph = ImportGraph({"a.py": "import b", "b.py": "import a"})
    assert graph.reach(["a.py"]) == {"a.py", "b.py"}


def test_a_new_file_is_found_by_who_looks_for_its_name() -> None:
    graph = ImportGraph(SOURCES, MODULES)
    assert graph.could_import("json.py") == {"src/pkg/a.py", "tests/test_other.py"}
    assert graph.could_import("src/pkg/a/__init__.py") >= {"src/pkg/__init__.py"}
    assert graph.could_import("src/pkg/nobody.py") == frozenset()


def test_a_file_that_is_not_known_imports_nothing() -> None:
    assert ImportGraph({}).reach(["gone.py"]) == {"gone.py"}
