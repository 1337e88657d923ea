"""State inside of functions and caches."""

from shop import labels, prices


def test_dollar_is_strong(monkeypatch):
    monkeypatch.setitem(prices.RATES, "USD", 2.0)
    assert prices.rate("USD") == 2.0  # writes: shop.prices.rate.<cache>


def test_dollar():
    assert prices.rate("USD") == 2.0  # reads: shop.prices.rate.<cache>


def test_sale(monkeypatch):
    monkeypatch.setattr(prices.TABLE, "prices", [1])
    assert prices.TABLE.cheapest == 1  # writes: shop.prices.TABLE.cheapest


def test_cheapest():
    assert prices.TABLE.cheapest == 1  # reads: shop.prices.TABLE.cheapest


def test_first_label():
    labels.add_label("a")


def test_second_label():
    assert labels.add_label("b") == ["a", "b"]  # reads: shop.labels.add_label.__defaults__[0]


def test_collect_ink():
    labels.collect("ink")


def test_collected():
    assert "ink" in labels.collect("pen")  # reads: shop.labels.collect.__kwdefaults__['into']['ink']


def test_count():
    assert labels.count_up() == 1


def test_count_on():
    assert labels.count_up() == 2  # reads: shop.labels.count_up.<closure count>


def test_record():
    assert "x" in labels.record("x")


def test_recorded():
    assert labels.record("y") == ["x", "y"]  # reads: shop.labels.record.<closure seen>


def test_stamp():
    labels.stamp.last = 8  # writes: shop.labels.stamp.last


def test_last_stamp():
    assert labels.stamp() == 8  # reads: shop.labels.stamp.last
