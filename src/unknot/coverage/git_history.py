"""What git knows: which files differ from a revision, and what they were then."""

import os
import subprocess
from pathlib import Path

from unknot.model.errors import UsageError

_NAME_FILES = "or name the changed files with `--changed FILE …`"


class GitHistory:
    """The repository that a directory belongs to. All paths count from that directory, with slashes; what lies outside
    of it is not seen. Never writes, never uses a shell, and hands a revision to git only as the id that git gave it.
    Raises UsageError where git cannot answer."""

    def __init__(self, root: Path) -> None:
        self._root = root
        status, _, errors = self._run("rev-parse", "--is-inside-work-tree")
        if status != 0:
            reason = errors.strip().splitlines()[-1:] or ["git says nothing"]
            if "not a git repository" in errors:
                raise UsageError(f"{root} is not in a git repository", hint=f"work in a clone, {_NAME_FILES}")
            raise UsageError(f"git cannot read {root}: {reason[0]}", hint=f"correct that, {_NAME_FILES}")

    def resolve(self, revision: str) -> str:
        """The id of the commit that is meant."""
        if revision.startswith("-") or not revision.isprintable():
            raise UsageError(f"`{revision!r}` is no revision", hint="give a branch, a tag or a commit")
        status, output, _ = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        found = output.decode("ascii", "replace").split()
        if status == 0 and found:
            return found[-1]
        if self._run("rev-parse", "--is-shallow-repository")[1].strip() == b"true":
            hint = "the clone is shallow: `git fetch --unshallow`, or clone with more depth (fetch-depth: 0)"
        elif revision == "HEAD":
            hint = f"commit something first, {_NAME_FILES}"
        else:
            hint = "give a branch, a tag or a commit that `git log` knows"
        raise UsageError(f"git knows no revision `{revision}`", hint=hint)

    def changed_since(self, commit: str) -> list[str]:
        """Files that differ between the commit and the working tree, deleted, new and untracked ones among them. Both
        names of a renamed file. A submodule that is at another commit is named by its directory."""
        diff = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
        # Ends of lines that would be converted on the way in make a file look modified; the contents decide later.
        differing = self._paths(*diff, "--ignore-submodules=none", commit, "--")
        untracked = self._paths("ls-files", "-z", "--others", "--exclude-standard")
        return sorted({*differing, *(path.rstrip("/") for path in untracked)})

    def files_at(self, commit: str) -> list[str]:
        return self._paths("ls-tree", "-r", "-z", "--name-only", commit)

    def content_at(self, commit: str, path: str) -> bytes | None:
        """None if there was no such file."""
        status, output, _ = self._run("cat-file", "blob", f"{commit}:./{path}")
        return output if status == 0 else None

    def _paths(self, *arguments: str) -> list[str]:
        status, output, errors = self._run(*arguments)
        if status != 0:
            reason = errors.strip().splitlines()[-1:] or [f"status {status}"]
            raise UsageError(f"`git {arguments[0]}` failed: {reason[0]}", hint=f"correct that, {_NAME_FILES}")
        return [os.fsdecode(name) for name in output.split(b"\0") if name]

    def _run(self, *arguments: str) -> tuple[int, bytes, str]:
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
        try:
            done = subprocess.run(
                ["git", "--no-pager", "--literal-pathspecs", "-C", str(self._root), *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise UsageError(
                f"git cannot be run: {error.strerror or error}", hint=f"install it, {_NAME_FILES}"
            ) from error
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
