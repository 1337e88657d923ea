"""Parses the clauses of queries, and of statements that change rows."""

from collections.abc import Sequence

from unknot.recorder.inside.database.sql_tokens import (
    GROUP,
    SIGN,
    STRING,
    WORD,
    Token,
    is_sign,
    kind_at,
    name_at,
    names_at,
    skip_words,
    word_at,
    words,
)

_END_OF_SOURCES = words(
    "WHERE GROUP HAVING ORDER LIMIT WINDOW UNION INTERSECT EXCEPT RETURNING SET OFFSET FETCH FOR VALUES WHEN"
)
_QUERY_STARTS = words("SELECT WITH VALUES INSERT UPDATE DELETE")
_NOT_THE_VERB_AFTER = words("ON OR FOR OF DO THEN KEY BEFORE AFTER")
"""As in `ON UPDATE CASCADE`, `FOR UPDATE`, `DO UPDATE SET`, `INSERT OR REPLACE`, `WHEN MATCHED THEN DELETE`."""

_MODIFIERS = words("OR ROLLBACK ABORT REPLACE FAIL IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK ONLY")
_NO_TABLE_AFTER_INTO = words("OUTFILE DUMPFILE")


class Clauses:
    """Collects what a query reads and writes: one level of parentheses, which adds what it finds to the level around
    it. `known` are the names of enclosing WITH clauses, which are not tables."""

    def __init__(
        self, part: Sequence[Token], outer: "Clauses | None" = None, known: frozenset[str] = frozenset()
    ) -> None:
        self.reads: set[str] = set() if outer is None else outer.reads
        self.writes: set[str] = set() if outer is None else outer.writes
        self.emptied: set[str] = set() if outer is None else outer.emptied
        self._part = part
        self._known = known
        self._has_sources = False
        self._in_sources = False
        self._into_all_sources = False

    def walk(self, *, sources: bool = False) -> "Clauses":
        """`sources`: the level is part of a FROM clause, as in `FROM (a JOIN b)`."""
        place = 0
        if sources:
            self._has_sources = self._in_sources = True
            place = self._source(0)
        while place < len(self._part):
            token = self._part[place]
            if token.kind == GROUP:
                Clauses(token.inside, self, self._known).walk()
                place += 1
            elif token.kind == SIGN and token.text == "," and self._in_sources:
                place = self._source(place + 1)
            elif token.kind == WORD:
                place = self._clause(token.text, place)
            else:
                place += 1
        return self

    def _clause(self, word: str, place: int) -> int:
        before = self._word(place - 1)
        if word in _END_OF_SOURCES:
            self._in_sources = self._into_all_sources = False
        elif word == "SELECT":
            self._has_sources, self._in_sources = True, False
        elif word == "FROM" and self._has_sources and before != "DISTINCT":
            self._in_sources = True
            return self._source(place + 1)
        elif (word in ("JOIN", "STRAIGHT_JOIN") and self._has_sources) or (
            word == "USING" and self._in_sources and not self._is_group(place + 1)
        ):
            return self._source(place + 1)
        elif word == "WITH":
            return self._with(place + 1)
        elif word == "INTO":
            return self._into(place + 1)
        elif before not in _NOT_THE_VERB_AFTER and not self._is_group(place + 1):
            if word in ("INSERT", "REPLACE"):
                return self._insert(place + 1)
            if word == "UPDATE":
                return self._update(place + 1)
            if word == "DELETE":
                return self._delete(place + 1)
            if word == "MERGE":
                return self._merge(place + 1)
        return place + 1

    def _source(self, place: int) -> int:
        """Where rows come from: a table, parentheses with a query or more sources, or a function."""
        place = skip_words(self._part, place, {"ONLY", "LATERAL"})
        if self._is_group(place):
            inside = self._part[place].inside
            first = inside[0] if inside else None
            is_query = first is None or (first.kind == WORD and first.text in _QUERY_STARTS)
            Clauses(inside, self, self._known).walk(sources=not is_query)
            return place + 1
        name, after = name_at(self._part, place)
        if name and not self._is_group(after):
            if name not in self._known:
                self.reads.add(name)
            if self._into_all_sources:
                self.writes.add(name)
        return max(after, place)

    def _with(self, place: int) -> int:
        """Named queries: each is known to the later ones, and to itself if recursive."""
        is_recursive = self._word(place) == "RECURSIVE"
        place += is_recursive
        while True:
            name, after = name_at(self._part, place)
            after += self._is_group(after)
            if not name or self._word(after) != "AS":
                return place
            after = skip_words(self._part, after + 1, {"NOT", "MATERIALIZED"})
            if not self._is_group(after):
                return place
            own = frozenset({name}) if is_recursive else frozenset()
            Clauses(self._part[after].inside, self, self._known | own).walk()
            self._known |= {name}
            place = after + 1
            if not is_sign(self._part, place, ","):
                return place
            place += 1

    def _into(self, place: int) -> int:
        """`SELECT … INTO table`, `LOAD DATA … INTO TABLE table`; but not into a variable or a file."""
        place = skip_words(self._part, place, {"TABLE", "TEMP", "TEMPORARY", "UNLOGGED"})
        if self._word(place) in _NO_TABLE_AFTER_INTO or kind_at(self._part, place) == STRING:
            return place + 1
        name, after = name_at(self._part, place)
        if name:
            self.writes.add(name)
        return max(after, place)

    def _insert(self, place: int) -> int:
        name, after = name_at(self._part, skip_words(self._part, place, _MODIFIERS | {"INTO"}))
        if name:
            self.writes.add(name)
        return max(after, place)

    def _update(self, place: int) -> int:
        """MySQL may change every table that it joins before SET."""
        self._has_sources = self._in_sources = self._into_all_sources = True
        return self._source(skip_words(self._part, place, _MODIFIERS))

    def _delete(self, place: int) -> int:
        place = skip_words(self._part, place, _MODIFIERS)
        self._has_sources = True
        if self._word(place) != "FROM":
            # MySQL's multi-table form, whose sources follow.
            self.writes.update(names_at(self._part, place))
            return place
        name, after = name_at(self._part, skip_words(self._part, place + 1, {"ONLY"}))
        if name:
            self.writes.add(name)
            rest = {token.text for token in self._part[after:] if token.kind == WORD}
            if rest.isdisjoint({"WHERE", "USING", "LIMIT", "JOIN"}):
                self.emptied.add(name)
            else:
                self.reads.add(name)
        self._in_sources = True
        return max(after, place + 1)

    def _merge(self, place: int) -> int:
        name, after = name_at(self._part, skip_words(self._part, place, {"INTO"}))
        if name:
            self.writes.add(name)
            self.reads.add(name)
        self._has_sources = self._in_sources = True
        return max(after, place)

    def _word(self, place: int) -> str:
        return word_at(self._part, place)

    def _is_group(self, place: int) -> bool:
        return kind_at(self._part, place) == GROUP
