"""Look like flows: caches that hold the same, whoever fills them, and what is made at import."""

import re

from shop import caches, commands


def test_memo_first():
    assert caches.square(3) == 9


def test_memo_second():
    assert caches.square(3) == 9


def test_pure_cache_first():
    assert caches.cube(2) == 8


def test_pure_cache_second():
    assert caches.cube(2) == 8


def test_lazy_import_first():
    assert caches.decoded("eur") == "Euro"


def test_lazy_import_second():
    assert caches.decoded("eur") == "Euro"


def test_pattern_first():
    assert caches.matches("a+", "aa")
    assert re.search("b+c", "abbc")


def test_pattern_second():
    assert not caches.matches("a+", "b")
    assert not re.search("b+c", "ab")


def test_cached_property_first():
    assert caches.UNIT.area == 3


def test_cached_property_second():
    assert caches.UNIT.area == 3


def test_template_first():
    assert caches.TEMPLATES.render("hello $name", name="ann") == "hello ann"


def test_template_second():
    assert caches.TEMPLATES.render("hello $name", name="ben") == "hello ben"


def test_registry_first():
    assert commands.KNOWN["open_shop"]() == "open"


def test_registry_second():
    assert sorted(commands.KNOWN) == ["close_shop", "open_shop"]


def test_import_inside_first():
    from shop import rare

    assert rare.VALUE == 11


def test_import_inside_second():
    import shop.rare

    assert shop.rare.VALUE == 11
