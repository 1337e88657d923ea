"""Look like flows: fixtures, private files and databases, logging, random numbers, the environment."""

import contextlib
import logging
import os
import random
import sqlite3

from shop import catalogue, orders


def test_tmp_path_first(tmp_path):
    (tmp_path / "report.txt").write_text("one")
    assert (tmp_path / "report.txt").read_text() == "one"


def test_tmp_path_second(tmp_path):
    assert not (tmp_path / "report.txt").exists()
    (tmp_path / "report.txt").write_text("two")


def test_log_record_first(caplog):
    logging.getLogger("shop.harmless").warning("one")
    assert len(caplog.records) == 1


def test_log_record_second(caplog):
    logging.getLogger("shop.harmless").warning("two")
    assert len(caplog.records) == 1


def test_random_first():
    assert 0 <= random.random() < 1


def test_random_second():
    assert 0 <= random.random() < 1


def test_session_fixture_first(loaded_catalogue):
    assert loaded_catalogue["lamp"] == 20


def test_session_fixture_second(loaded_catalogue):
    assert catalogue.LOADED["desk"] == 90


def test_module_fixture_first(open_till):
    assert open_till.is_open


def test_module_fixture_second(open_till):
    assert open_till.is_open


def test_private_database_first(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE orders (name TEXT)")
        connection.execute("INSERT INTO orders VALUES ('cup')")


def test_private_database_second(tmp_path):
    with contextlib.closing(sqlite3.connect(tmp_path / "shop.db")) as connection, connection:
        connection.execute("CREATE TABLE orders (name TEXT)")
        assert connection.execute("SELECT name FROM orders").fetchall() == []


def test_rolled_back_first():
    with contextlib.closing(sqlite3.connect(orders.DATABASE)) as connection:
        connection.execute("INSERT INTO customers (name) VALUES ('zoe')")
        connection.rollback()


def test_rolled_back_second():
    assert orders.customers() == []


def test_environment_first(monkeypatch):
    monkeypatch.setenv("SHOP_COLOUR", "red")
    assert os.environ["SHOP_COLOUR"] == "red"


def test_environment_second():
    assert "SHOP_COLOUR" not in os.environ


def test_temporary_file_first():
    with open(orders.VAR / "scratch.txt", "w") as file:
        file.write("x")
    os.remove(orders.VAR / "scratch.txt")


def test_temporary_file_second():
    assert not os.path.exists(orders.VAR / "scratch.txt")
