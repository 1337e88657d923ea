"""A driver in pure Python that follows the DB-API, as far as this suite needs it. Knows two statements."""

apilevel = "2.0"
threadsafety = 1
paramstyle = "qmark"

_STORES = {}


class Cursor:
    description = None
    rowcount = -1
    arraysize = 1

    def __init__(self, connection):
        self.connection = connection
        self._tables = connection._tables
        self._rows = []

    def execute(self, operation, parameters=()):
        words = operation.split()
        if words[0].upper() == "INSERT":
            self._tables.setdefault(words[2], []).append(tuple(parameters))
        elif words[0].upper() == "SELECT":
            self._rows = list(self._tables.get(words[3], ()))
        else:
            raise ValueError(operation)

    def executemany(self, operation, rows):
        for row in rows:
            self.execute(operation, row)

    def fetchone(self):
        return self._rows.pop(0) if self._rows else None

    def fetchall(self):
        rows, self._rows = self._rows, []
        return rows

    def close(self):
        self._rows = []


class Connection:
    def __init__(self, database):
        self.database = database
        self._tables = _STORES.setdefault(database, {})

    def cursor(self):
        return Cursor(self)

    def commit(self):
        pass

    def rollback(self):
        pass

    def close(self):
        pass


def connect(database):
    return Connection(database)
