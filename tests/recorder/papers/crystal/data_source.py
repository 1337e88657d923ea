"""Where a project's history is kept."""

import enum


class RepoKind(enum.Enum):
    HG = "hg"
    GIT = "git"


class DataSource:
    def __init__(self, short_name, clone_string, kind):
        self._short_name = short_name
        self._clone_string = clone_string
        self._kind = kind

    def short_name(self):
        return self._short_name

    def clone_string(self):
        return self._clone_string  # reads: test_data_source.TestDataSource.data._clone_string

    def kind(self):
        return self._kind

    def rename(self, short_name):
        self._short_name = short_name

    def clone_from(self, clone_string):
        self._clone_string = clone_string  # writes: test_data_source.TestDataSource.data._clone_string

    def keep_in(self, kind):
        self._kind = kind

    def __str__(self):
        return f"{self._short_name} {self._kind.name} {self._clone_string}"
