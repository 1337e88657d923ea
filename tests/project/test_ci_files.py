"""The action, the template and the hook for CI: their shell steps are run here, the services are not."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SUITE = """
import os
def test_sets(): os.environ["SET"] = "1"
def test_one(): pass
def test_two(): pass
"""
WITH_NEW = SUITE + 'def test_needs(): assert "SET" in os.environ\n'

Shell = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("project")
    (directory / "pytest.ini").write_text("[pytest]\n")
    (directory / "test_a.py").write_text(SUITE)
    run_shell(directory, "unknot detect -q --no-trace")
    (directory / "test_a.py").write_text(WITH_NEW)
    return directory


def run_shell(directory: Path, script: str, **more: str) -> subprocess.CompletedProcess[str]:
    """As the services do: bash, which ends with the first command that fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=directory,
        env={**os.environ, "PATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **more},
        capture_output=True,
        text=True,
        check=False,
    )


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def inputs_of(step: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """The environment of a step of the action."""
    names = {name: value.removeprefix("${{ inputs.").removesuffix(" }}") for name, value in step["env"].items()}
    return {name: given[key] for name, key in names.items()}


def test_the_action_annotates_summarises_and_fails(project: Path, tmp_path: Path) -> None:
    action = read("action.yml")
    assert action["runs"]["using"] == "composite"
    defaults = {name: each["default"] for name, each in action["inputs"].items()}
    steps = action["runs"]["steps"]
    assert all("${{" not in step.get("run", "") for step in steps), "an input in a script could be a command"
    check = next(step for step in steps if step.get("id") == "check")
    given = {**defaults, "arguments": "--no-trace -n 1", "sarif": "out.sarif"}
    output, summary = tmp_path / "output", tmp_path / "summary"

    done = run_shell(
        project,
        check["run"],
        **inputs_of(check, given),
        GITHUB_OUTPUT=str(output),
        GITHUB_STEP_SUMMARY=str(summary),
    )

    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=test_a.py,line=")
    assert output.read_text() == "exit-code=1\n"
    assert summary.read_text().startswith("### 1 new dependency found among 4 tests.")
    assert '"version": "2.1.0"' in (project / "out.sarif").read_text()


def test_an_argument_of_the_action_is_not_run_by_the_shell(project: Path, tmp_path: Path) -> None:
    step = next(step for step in read("action.yml")["runs"]["steps"] if step.get("id") == "check")
    environment = {"ARGUMENTS": "$(touch owned) ;touch owned", "SARIF": ""}
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    assert run_shell(project, step["run"], **environment, **files).returncode != 0
    assert not (project / "owned").exists()


def test_the_gitlab_template_writes_what_it_reports(project: Path) -> None:
    job = read("ci/unknot.gitlab-ci.yml")[".unknot-check"]
    done = run_shell(project, "\n".join(job["script"]), UNKNOT_ARGUMENTS="--no-trace -n 1")
    assert done.returncode == 1, done.stderr
    assert "1 new dependency found" in done.stdout
    assert 'failures="1"' in (project / job["artifacts"]["reports"]["junit"]).read_text()


def test_the_hook_fails_for_a_new_dependency(project: Path) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    assert hook["pass_filenames"] is False
    done = run_shell(project, shlex.join([*shlex.split(hook["entry"]), *hook["args"], "--no-trace"]))
    assert done.returncode == 1, done.stderr
    assert "test_needs needs test_a.py::test_sets" in done.stdout
