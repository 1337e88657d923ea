"""PRADET's motivating example: one object that all tests share, made by the first of them."""

from data_source import DataSource, RepoKind


class TestDataSource:
    data = None

    def test_set_field(self):
        source = DataSource("Repository", "path", RepoKind.HG)
        TestDataSource.data = source  # writes: test_data_source.TestDataSource.data
        assert source.short_name() == "Repository"
        assert source.kind() is RepoKind.HG

    def test_set_clone_string(self):
        source = TestDataSource.data  # reads: test_data_source.TestDataSource.data
        assert source.clone_string() == "path"
        source.clone_from("path_2")
        assert source.clone_string() == "path_2"

    def test_to_string(self):
        source = TestDataSource.data  # reads: test_data_source.TestDataSource.data
        source.rename("short")
        source.keep_in(RepoKind.HG)
        source.clone_from("elsewhere")
        assert str(source) == "short HG elsewhere"
