"""A real PostgreSQL database, put back from a template."""

import subprocess
from collections.abc import Callable, Iterator
from typing import Protocol
from urllib.parse import quote

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sut.resets.protocol import CLEAN, Reset

pytestmark = pytest.mark.server

Make = Callable[..., Reset]

NAME = "App \"of' 100%\\ mine"


class Server(Protocol):
    options: dict[str, str]
    client: tuple[str, ...]

    def run(self, database: str, statements: str) -> str: ...


@pytest.fixture
def database(postgresql: Server) -> Iterator[str]:
    quoted = '"' + NAME.replace('"', '""') + '"'
    clean_up = f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE); DROP ROLE IF EXISTS keeper; DROP ROLE IF EXISTS guest;"
    postgresql.run(
        "postgres",
        f"""
        {clean_up}
        CREATE ROLE keeper LOGIN CREATEDB; CREATE ROLE guest LOGIN;
        CREATE DATABASE {quoted} OWNER keeper CONNECTION LIMIT 50;
        REVOKE ALL ON DATABASE {quoted} FROM PUBLIC; GRANT CONNECT ON DATABASE {quoted} TO guest WITH GRANT OPTION;
        ALTER DATABASE {quoted} SET search_path = "$user", shop, public;
        ALTER DATABASE {quoted} SET "app.greeting" = 'it''s = me';
        ALTER ROLE guest IN DATABASE {quoted} SET work_mem = '5MB';
        """,
    )
    postgresql.run(
        NAME,
        """
        CREATE SCHEMA shop; CREATE TABLE shop.items (id serial PRIMARY KEY, name text);
        INSERT INTO shop.items (name) VALUES ('first');
        """,
    )
    yield NAME
    left = postgresql.run("postgres", "SELECT datname FROM pg_database WHERE datname LIKE 'unknot\\_%'")
    assert left == ""


def facts(server: Server, name: str) -> str:
    """Permissions, owner, limit and settings of the database itself."""
    return server.run(
        "postgres",
        f"""
        SELECT pg_get_userbyid(datdba), datconnlimit, datallowconn, (
            SELECT string_agg(acl::text, ',' ORDER BY acl::text) FROM unnest(datacl) AS acl), (
            SELECT string_agg(setrole::regrole || setconfig::text, ',' ORDER BY setrole) FROM pg_db_role_setting
            WHERE setdatabase = pg_database.oid)
        FROM pg_database WHERE datname = '{name.replace("'", "''")}'
        """,
    )


@pytest.mark.parametrize("strategy", ["", "wal_log", "file_copy"])
def test_a_database_is_put_back_while_a_client_is_connected(
    postgresql: Server, database: str, make: Make, strategy: str
) -> None:
    options = {"strategy": strategy} if strategy else {}
    reset = make("postgresql", dbname=database.replace("{", "{{"), **postgresql.options, **options)
    before = facts(postgresql, database)
    assert "app.greeting" in before
    with subprocess.Popen(
        [*postgresql.client, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as connected:
        assert connected.stdin is not None
        assert connected.stdout is not None
        connected.stdin.write(b"SELECT 1;\n")
        connected.stdin.flush()
        assert connected.stdout.readline() == b"1\n"
        reset.keep(CLEAN)
        connected.stdin.close()
    for _ in range(2):
        postgresql.run(database, "INSERT INTO items (name) VALUES ('more'); CREATE TABLE other (a int);")
        quoted = '"' + database.replace('"', '""') + '"'
        postgresql.run("postgres", f"ALTER DATABASE {quoted} SET work_mem = '9MB'")
        reset.put_back(CLEAN)
        assert postgresql.run(database, "SELECT id, name FROM items") == "1|first"
        assert postgresql.run(database, "SELECT nextval('items_id_seq'), to_regclass('other') IS NULL") == "2|t"
        assert postgresql.run(database, "SHOW search_path; SHOW app.greeting;") == '"$user", shop, public\nit\'s = me'
        assert facts(postgresql, database) == before
    reset.forget(CLEAN)


def test_several_states(postgresql: Server, database: str, make: Make) -> None:
    reset = make("postgresql", dbname=database, **postgresql.options)
    reset.keep(CLEAN)
    postgresql.run(database, "INSERT INTO items (name) VALUES ('second')")
    reset.keep("later-1")
    postgresql.run(database, "DELETE FROM items")
    reset.put_back("later-1")
    assert postgresql.run(database, "SELECT count(*) FROM items") == "2"
    reset.put_back(CLEAN)
    assert postgresql.run(database, "SELECT count(*) FROM items") == "1"
    reset.keep("later-1")
    reset.put_back("later-1")
    assert postgresql.run(database, "SELECT count(*) FROM items") == "1"
    reset.forget("later-1")
    reset.forget("later-1")
    reset.forget(CLEAN)


def test_an_address_in_one_text(postgresql: Server, database: str, make: Make) -> None:
    url = f"postgresql://postgres:secret%20word@/{quote(database, safe='')}?host={quote(postgresql.options['host'])}"
    reset = make("postgresql", url=url)
    reset.keep(CLEAN)
    postgresql.run(database, "DELETE FROM items")
    reset.put_back(CLEAN)
    assert postgresql.run(database, "SELECT count(*) FROM items") == "1"
    reset.forget(CLEAN)


def test_a_database_that_is_not_there_is_named(postgresql: Server, make: Make) -> None:
    with pytest.raises(RunnerError, match="there is no PostgreSQL database 'nowhere'"):
        make("postgresql", dbname="nowhere", **postgresql.options).keep(CLEAN)


def test_a_server_that_is_not_there_is_an_error(make: Make) -> None:
    with pytest.raises(RunnerError, match=r"cannot keep the PostgreSQL database 'app': .*psql"):
        make("postgresql", dbname="app", host="/nonexistent").keep(CLEAN)
