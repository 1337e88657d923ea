"""Which tables SQL reads and writes, by its text."""

import sqlite3

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from unknot.recorder.inside.database.statements import (
    BEGIN,
    COMMIT,
    RELEASE,
    ROLLBACK,
    ROLLBACK_TO,
    SAVEPOINT,
    statements,
)

CASES = [
    ("SELECT * FROM a, b c JOIN d ON c.x = d.x, [e f] WHERE x IN (SELECT y FROM `g`) ORDER BY a, h", "a b d|e f|g", ""),
    ('SELECT 1 FROM "quo""ted"', 'quo"ted', ""),
    ("SELECT 1 FROM 'text'", "text", ""),
    ("SELECT * FROM main.cart, shop.dbo.item", "main.cart shop.dbo.item", ""),
    ("SELECT 'from x', \"from y\" /* from z */ FROM a -- , b\n, c", "a c", ""),
    ("SELECT EXTRACT(YEAR FROM t), SUBSTRING(a FROM 2), TRIM(BOTH ' ' FROM x) FROM a", "a", ""),
    ("SELECT a IS NOT DISTINCT FROM b FROM c", "c", ""),
    ("SELECT DISTINCT a FROM b", "b", ""),
    ("SELECT * FROM a FOR UPDATE OF a", "a", ""),
    ("SELECT * FROM a LIMIT 1, 2", "a", ""),
    ("SELECT * FROM json_each(x), LATERAL generate_series(1, 2) g, ONLY a", "a", ""),
    ("SELECT * FROM (a JOIN b USING (i)), ((SELECT * FROM c))", "a b c", ""),
    ("SELECT * FROM a NATURAL LEFT OUTER JOIN b CROSS JOIN c", "a b c", ""),
    ("SELECT (SELECT count(*) FROM x) FROM y UNION ALL SELECT 1 FROM z", "x y z", ""),
    ("(SELECT * FROM a) UNION (SELECT * FROM b)", "a b", ""),
    ("SELECT * FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.i = a.i) AND a.from_b = 1", "a b", ""),
    ("SELECT * FROM t WHERE x = :from AND y = %(join)s AND z = $1 AND w = ?", "t", ""),
    ("SELECT * FROM t WHERE a[1] = 2 AND b = ARRAY[1, 2]", "t", ""),
    ("SELECT $tag$ FROM x; $tag$, $$ FROM y $$ FROM t", "t", ""),
    (r"SELECT E'it\'s FROM x' FROM t", "t", ""),
    ("SELECT x::from_type FROM t", "t", ""),
    ("WITH q AS (SELECT * FROM a), r (n) AS (SELECT * FROM q) SELECT * FROM r, b", "a b", ""),
    ("WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT * FROM r, t", "t", ""),
    ("WITH cart AS (SELECT * FROM cart) SELECT * FROM cart", "cart", ""),
    ("WITH q AS NOT MATERIALIZED (SELECT 1 FROM z) INSERT INTO t (a) SELECT * FROM q RETURNING *", "z", "t"),
    ("WITH d AS (DELETE FROM t WHERE x RETURNING *) INSERT INTO u SELECT * FROM d", "t", "t u"),
    ("SELECT * FROM (WITH q AS (SELECT * FROM a) SELECT * FROM q) JOIN q ON 1", "a q", ""),
    ("INSERT INTO t VALUES ((SELECT max(i) FROM u), 'FROM v')", "u", "t"),
    ("INSERT INTO t SELECT * FROM s ON CONFLICT (a) DO UPDATE SET x = excluded.x", "s", "t"),
    ("INSERT IGNORE INTO t SET a = 1 ON DUPLICATE KEY UPDATE a = 2", "", "t"),
    ("INSERT OR REPLACE INTO t DEFAULT VALUES", "", "t"),
    ("INSERT t VALUES (1)", "", "t"),
    ("REPLACE INTO t VALUES (replace('a', 'b', 'c'))", "", "t"),
    ("UPDATE OR IGNORE t SET a = (SELECT max(b) FROM u), c = 1 FROM v WHERE v.i = t.i", "t u v", "t"),
    ("UPDATE ONLY a AS x SET b = 1", "a", "a"),
    ("UPDATE a JOIN b ON a.i = b.i SET b.x = 1, a.x = 2 WHERE a.i IN (SELECT i FROM c)", "a b c", "a b"),
    ("DELETE FROM t", "", "t"),
    ("DELETE FROM ONLY t USING u, v WHERE t.i = u.i", "t u v", "t"),
    ("DELETE a, b FROM a INNER JOIN c", "a c", "a b"),
    ("MERGE INTO t USING s ON t.i = s.i WHEN MATCHED THEN UPDATE SET x = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (1)",
     "s t", "t"),
    ("MERGE INTO t USING (SELECT * FROM s) q ON true WHEN MATCHED THEN DELETE", "s t", "t"),
    ("CREATE TABLE IF NOT EXISTS t (a REFERENCES o(id) ON DELETE CASCADE ON UPDATE CASCADE)", "", "t"),
    ("CREATE TEMP TABLE n AS SELECT * FROM o", "o", "n"),
    ("CREATE TABLE n (LIKE o INCLUDING ALL)", "o", "n"),
    ("CREATE TABLE n LIKE o", "o", "n"),
    ("CREATE VIRTUAL TABLE n USING fts5(a, b)", "", "n"),
    ("CREATE OR REPLACE VIEW v AS SELECT * FROM a", "", "v"),
    ("CREATE UNIQUE INDEX IF NOT EXISTS i ON t (a)", "", "t"),
    ("DROP TABLE IF EXISTS a, shop.b CASCADE", "", "a shop.b"),
    ("ALTER TABLE a RENAME TO b", "a", "a b"),
    ("ALTER TABLE ONLY a RENAME COLUMN x TO y", "a", "a"),
    ("TRUNCATE TABLE a, ONLY b RESTART IDENTITY", "", "a b"),
    ("COPY t (a, b) FROM STDIN", "", "t"),
    ("COPY t TO STDOUT", "t", ""),
    ("COPY (SELECT * FROM q) TO STDOUT", "q", ""),
    ("SELECT * INTO n FROM o", "o", "n"),
    ("SELECT x INTO OUTFILE 'f' FROM t", "t", ""),
    ("LOAD DATA INFILE 'x' INTO TABLE t", "", "t"),
    ("EXPLAIN INSERT INTO t SELECT * FROM u", "u", ""),
    ("EXPLAIN ANALYZE DELETE FROM t", "", "t"),
    ("CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO u VALUES (1); SELECT CASE WHEN 1 THEN 2 END; END;"
     "SELECT * FROM w", "w", ""),
    ("GRANT SELECT, INSERT ON t TO u", "", ""),
    ("PRAGMA foreign_keys = ON; VALUES (1); SET x = 1; ;", "", ""),
    ("insert into A select * from B; Delete From c", "b", "a c"),
    ("", "", ""),
    ("-- nothing", "", ""),
]  # fmt: skip


def _tables(sql: str, *, mysql: bool = False) -> tuple[set[str], set[str]]:
    """What all statements of the text read, and what they write."""
    found = statements(sql, mysql=mysql)
    return set().union(*(one.reads for one in found)), set().union(*(one.writes for one in found))


def _names(text: str) -> set[str]:
    """Names with a blank in them stand between bars."""
    quoted, rest = text.split("|")[1::2], text.split("|")[::2]
    return {*quoted, *" ".join(rest).split()}


@pytest.mark.parametrize(("sql", "reads", "writes"), CASES)
def test_tables(sql: str, reads: str, writes: str) -> None:
    assert _tables(sql) == (_names(reads), _names(writes))


def test_mysql_has_its_own_strings_and_comments() -> None:
    assert _tables(r"SELECT 'it\'s FROM x' FROM t # , u", mysql=True) == ({"t"}, set())
    assert _tables("SELECT /*! * FROM t */", mysql=True) == ({"t"}, set())
    assert _tables(r"SELECT 'C:\' FROM t") == ({"t"}, set())


def test_turns_of_a_transaction() -> None:
    text = "BEGIN IMMEDIATE; START TRANSACTION; COMMIT; END; ROLLBACK; SAVEPOINT a; RELEASE SAVEPOINT a; ROLLBACK TO a"
    assert [(one.action, one.name) for one in statements(text)] == [
        (BEGIN, ""),
        (BEGIN, ""),
        (COMMIT, ""),
        (COMMIT, ""),
        (ROLLBACK, ""),
        (SAVEPOINT, "a"),
        (RELEASE, "a"),
        (ROLLBACK_TO, "a"),
    ]


def test_what_is_emptied_and_what_is_altered() -> None:
    [deleted, some, created, perhaps, view] = statements(
        "DELETE FROM a; DELETE FROM b WHERE x; CREATE TABLE c (i); CREATE TABLE IF NOT EXISTS d (i);"
        "CREATE VIEW v AS SELECT * FROM e JOIN f"
    )
    assert deleted.emptied == {"a"}
    assert some.emptied == set()
    assert created.emptied == created.altered == {"c"}
    assert not created.if_missing
    assert perhaps.altered == {"d"}
    assert perhaps.if_missing
    assert view.reads == set()
    assert view.view_of == {"e", "f"}


@given(st.text(st.sampled_from("abc from select join ()[]'\"`-*/;,.$:E\\\n#"), max_size=80), st.booleans())
def test_no_text_does_harm(sql: str, mysql: bool) -> None:
    reads, writes = _tables(sql, mysql=mysql)
    assert all(isinstance(name, str) for name in reads | writes)


@pytest.mark.parametrize("text", ["(" * 5000 + "SELECT * FROM t", "SELECT * FROM t WHERE " + "(" * 3000 + ")" * 3000])
def test_deep_parentheses(text: str) -> None:
    assert _tables(text)[0] == {"t"}


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=12
)


@given(_NAMES, st.sampled_from(['"', "`"]), st.text(st.sampled_from("ab'\"`-/* \n"), max_size=12))
def test_any_quoted_name_is_found_between_any_strings_and_comments(name: str, quote: str, noise: str) -> None:
    quoted = quote + name.replace(quote, quote * 2) + quote
    string = "'" + noise.replace("'", "''") + "'"
    comment = "/*" + noise.replace("*", "") + "*/"
    sql = f"SELECT {string} {comment} FROM {comment} {quoted} -- {noise.splitlines()[0] if noise.strip() else ''}\n"
    assert _tables(sql)[0] == {name.lower()}


_TABLES = st.sampled_from(["a", "b", "c", "d"])
_SOURCES = st.recursive(
    _TABLES.map(lambda name: (f"SELECT x FROM {name}", {name})),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: (f"{two[0][0]} UNION {two[1][0]}", two[0][1] | two[1][1])),
        st.tuples(inner, _TABLES).map(
            lambda two: (f"SELECT x FROM {two[1]} WHERE x IN ({two[0][0]})", two[0][1] | {two[1]})
        ),
        inner.map(lambda one: (f"SELECT x FROM ({one[0]}) AS s", one[1])),
        st.tuples(inner, _TABLES).map(
            lambda two: (f"WITH q AS ({two[0][0]}) SELECT x FROM q JOIN {two[1]} USING (x)", two[0][1] | {two[1]})
        ),
    ),
    max_leaves=6,
)


@given(_TABLES, _SOURCES)
def test_as_sqlite_itself_reports_it(target: str, source: tuple[str, set[str]]) -> None:
    """SQLite's own parser passes its authorizer the tables that it reads and writes."""
    query = source[0]
    connection = sqlite3.connect(":memory:")
    for name in "abcd":
        connection.execute(f"CREATE TABLE {name} (x)")
    reads: set[str] = set()
    writes: set[str] = set()

    def authorize(action: int, table: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table:
            reads.add(table)
        elif action == sqlite3.SQLITE_INSERT and table:
            writes.add(table)
        return sqlite3.SQLITE_OK

    connection.set_authorizer(authorize)
    sql = f"INSERT INTO {target} SELECT x FROM ({query})"
    try:
        connection.execute(sql)
    except sqlite3.OperationalError:
        # A WITH clause after UNION, or "q" inside of "q": no SQL of SQLite's.
        assume("WITH" not in sql)
        raise
    finally:
        connection.close()
    assert _tables(sql) == (source[1], writes)
    assert reads - {"q"} <= source[1]
