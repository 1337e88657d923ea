"""One plain pytest run and one `unknot detect` side by side, on the suites of well-known packages."""
