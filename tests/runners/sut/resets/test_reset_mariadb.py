"""Real MariaDB databases, put back from a dump."""

from collections.abc import Callable, Iterator
from typing import Protocol

import pytest

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.protocol import CLEAN, Reset

pytestmark = pytest.mark.server

Make = Callable[..., Reset]

SHOP = """
CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) CHARACTER SET utf8mb4, raw BLOB);
INSERT INTO items (name, raw) VALUES ('first ü ✓', 0x00ff27225c0a);
CREATE TABLE old (a INT) ENGINE=MyISAM;
INSERT INTO old VALUES (1);
CREATE TABLE log (n INT, FOREIGN KEY (n) REFERENCES items (id));
CREATE VIEW names AS SELECT name FROM items;
CREATE TRIGGER t AFTER INSERT ON items FOR EACH ROW INSERT INTO old VALUES (NEW.id);
CREATE PROCEDURE p() SELECT 42;
CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 43;
CREATE EVENT e ON SCHEDULE EVERY 1 YEAR DO DELETE FROM old;
"""

SPOIL = """
INSERT INTO items (name) VALUES ('second');
DROP VIEW names; DROP TRIGGER t; DROP PROCEDURE p; DROP FUNCTION f; DROP EVENT e; DROP TABLE log;
CREATE TABLE more (a INT);
"""

FACTS = """
SELECT id, name, hex(raw) FROM items; SELECT * FROM old; SELECT * FROM names; SELECT f(); CALL p();
SHOW TABLES; SHOW TRIGGERS; SHOW EVENTS; SHOW CREATE TABLE items; SHOW CREATE TABLE log;
"""


class Server(Protocol):
    options: dict[str, str]

    def run(self, database: str, statements: str) -> str: ...


@pytest.fixture
def shop(mariadb: Server) -> Iterator[str]:
    mariadb.run("mysql", "CREATE DATABASE `my-shop`; CREATE DATABASE other;")
    mariadb.run("my-shop", SHOP)
    mariadb.run("other", "CREATE TABLE t (a INT)")
    yield "my-shop"
    mariadb.run("mysql", "DROP DATABASE IF EXISTS `my-shop`; DROP DATABASE other;")


def facts(server: Server) -> str:
    """Without the time at which a trigger was made."""
    lines = server.run("my-shop", f"SET NAMES utf8mb4; {FACTS}").splitlines()
    return "\n".join(line.partition("\tAFTER\t")[0] for line in lines)


def test_all_that_a_database_holds_is_put_back(mariadb: Server, shop: str, make: Make) -> None:
    reset = make("mariadb", database=(shop, "other"), **mariadb.options)
    before = facts(mariadb)
    assert "first" in before
    reset.keep(CLEAN)
    for _ in range(2):
        mariadb.run(shop, SPOIL)
        mariadb.run("other", "INSERT INTO t VALUES (1)")
        reset.put_back(CLEAN)
        assert facts(mariadb) == before
        assert mariadb.run("other", "SELECT count(*) FROM t") == "0"
    mariadb.run(shop, "INSERT INTO items (name) VALUES ('next')")
    assert mariadb.run(shop, "SELECT max(id) FROM items") == "2"


def test_several_states_and_a_dropped_database(mariadb: Server, shop: str, make: Make, placed: InstanceContext) -> None:
    reset = make("mariadb", database=shop, **mariadb.options)
    reset.keep(CLEAN)
    mariadb.run(shop, "INSERT INTO items (name) VALUES ('second')")
    reset.keep("later")
    mariadb.run("mysql", f"DROP DATABASE `{shop}`")
    reset.put_back(CLEAN)
    assert mariadb.run(shop, "SELECT count(*) FROM items") == "1"
    reset.put_back("later")
    assert mariadb.run(shop, "SELECT count(*) FROM items") == "2"
    reset.forget("later")
    assert [kept.name for kept in placed.store.iterdir()] == ["mariadb-clean.sql"]


def test_a_database_that_is_not_there_is_an_error(mariadb: Server, make: Make) -> None:
    with pytest.raises(RunnerError, match=r"cannot keep the MariaDB database nowhere: .*Unknown database"):
        make("mariadb", database="nowhere", **mariadb.options).keep(CLEAN)


def test_a_server_that_is_not_there_is_an_error(mariadb: Server, make: Make) -> None:
    with pytest.raises(RunnerError, match=r"cannot keep the MariaDB database app: .*[Cc]an't connect"):
        make("mariadb", database="app", socket="/nonexistent").keep(CLEAN)
