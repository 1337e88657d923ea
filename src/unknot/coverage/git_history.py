"""Which files differ from a git revision, and their content at that revision."""

import os
import subprocess
from pathlib import Path

from unknot.model.errors import UsageError

_NAME_FILES = "or name the changed files with `--changed FILE …`."


class GitHistory:
    """The repository of a directory. All paths are relative to that directory, with slashes; files outside of it are
    ignored. Never writes, never uses a shell, and passes a revision to git only as the id that git returned. Raises
    UsageError if git fails."""

    def __init__(self, root: Path) -> None:
        self._root = root
        status, _, errors = self._run("rev-parse", "--is-inside-work-tree")
        if status != 0:
            reason = errors.strip().splitlines()[-1:] or ["no message from git"]
            if "not a git repository" in errors:
                raise UsageError(
                    f"{root} is not in a git repository",
                    hint=f"Work in a clone, {_NAME_FILES}",
                    slug="git-no-repository",
                )
            raise UsageError(
                f"git cannot read {root}: {reason[0]}", hint=f"Fix that, {_NAME_FILES}", slug="git-unreadable"
            )

    def resolve(self, revision: str) -> str:
        """The id of the commit."""
        if revision.startswith("-") or not revision.isprintable():
            raise UsageError(
                f"`{revision!r}` is not a revision", hint="Pass a branch, a tag or a commit.", slug="git-revision"
            )
        status, output, _ = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        found = output.decode("ascii", "replace").split()
        if status == 0 and found:
            return found[-1]
        if self._run("rev-parse", "--is-shallow-repository")[1].strip() == b"true":
            hint = "Run `git fetch --unshallow`, or clone with full depth (fetch-depth: 0): the clone is shallow."
        elif revision == "HEAD":
            hint = f"Commit something first, {_NAME_FILES}"
        else:
            hint = "Pass a branch, a tag or a commit that `git log` finds."
        raise UsageError(f"unknown git revision `{revision}`", hint=hint, slug="git-revision")

    def changed_since(self, commit: str) -> list[str]:
        """Files that differ between the commit and the working tree, including deleted, new and untracked ones and both
        names of a renamed file. A submodule at another commit is named by its directory."""
        diff = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
        # Line ends that git would convert make a file look modified; the contents are compared later.
        differing = self._paths(*diff, "--ignore-submodules=none", commit, "--")
        untracked = self._paths("ls-files", "-z", "--others", "--exclude-standard")
        return sorted({*differing, *(path.rstrip("/") for path in untracked)})

    def files_at(self, commit: str) -> list[str]:
        return self._paths("ls-tree", "-r", "-z", "--name-only", commit)

    def content_at(self, commit: str, path: str) -> bytes | None:
        """None if the file did not exist."""
        status, output, _ = self._run("cat-file", "blob", f"{commit}:./{path}")
        return output if status == 0 else None

    def _paths(self, *arguments: str) -> list[str]:
        status, output, errors = self._run(*arguments)
        if status != 0:
            reason = errors.strip().splitlines()[-1:] or [f"status {status}"]
            raise UsageError(
                f"`git {arguments[0]}` failed: {reason[0]}", hint=f"Fix that, {_NAME_FILES}", slug="git-failed"
            )
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
                f"git cannot be run: {error.strerror or error}", hint=f"Install it, {_NAME_FILES}", slug="git-failed"
            ) from error
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
