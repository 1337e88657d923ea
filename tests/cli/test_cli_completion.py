"""`unknot --completion`: the scripts, in the shells that they are for."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.cli.completion import SHELLS
from unknot.cli.main import main

# What bash does when Tab is pressed after the words, the last of which is unfinished.
_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
handler=$(complete -p unknot | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$handler" unknot "${@: -1}" "${@: -2:1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
_FISH = 'source "$argv[1]"; complete -C "$argv[2]"'
# The completion of zsh needs a terminal; the script must at least be one that zsh reads.
_ZSH = 'fpath=("${1:h}" $fpath); autoload -U compinit; compinit -u -D; autoload +X _unknot; print ${_comps[unknot]}'


def script(shell: str, directory: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    with pytest.raises(SystemExit, match="0"):
        main(["--completion", shell])
    file = directory / "_unknot"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    return file


def words_of(shell: str, *arguments: object) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    command = [shell, *map(str, arguments)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    return [line.partition("\t")[0] for line in lines]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("unknot de", ["detect"]),
        ("unknot detect --see", ["--seed"]),
        ("unknot report --format graph", ["graphml"]),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_verbs_options_and_choices_are_completed(
    shell: str, line: str, expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = script(shell, tmp_path, capsys)
    given = ("-c", _BASH, "bash", file, *line.split()) if shell == "bash" else ("-c", _FISH, file, line)
    assert words_of(shell, *given) == expected


def test_files_are_completed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = script("bash", tmp_path, capsys)
    (tmp_path / "test_cart.py").touch()
    monkeypatch.chdir(tmp_path)
    assert words_of("bash", "-c", _BASH, "bash", file, "unknot", "detect", "test_c") == ["test_cart.py"]


def test_zsh_takes_the_script_for_unknot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = script("zsh", tmp_path, capsys)
    assert file.read_text(encoding="utf-8").startswith("#compdef unknot\n")
    assert words_of("zsh", "-f", "-c", _ZSH, "zsh", file) == ["_unknot"]


@pytest.mark.parametrize("shell", SHELLS)
def test_without_the_library_the_error_says_what_to_install(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--completion", shell]) == 4
    error = capsys.readouterr().err
    assert "error[completion-not-installed]" in error
    assert "unknot[completion]" in error
