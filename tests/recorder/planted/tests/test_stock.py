"""Two roads to one object."""

from shop import audit, events, stock


def test_fill_the_shelf():
    stock.SHELVES["main"]["top"].append("jug")  # writes: shop.stock.SHELF


def test_shelf():
    assert stock.SHELF == ["cup", "jug"]  # reads: shop.stock.SHELF


def test_reprice():
    stock.reprice("lamp", 25)


def test_price_by_code():
    assert stock.price_of(7) == 25


def test_note():
    audit.note("sold")


def test_noted():
    assert "sold" in events.LOG  # reads: shop.events.LOG


def test_pair_grows():
    stock.PAIR.members.append("ann")  # writes: shop.stock.PAIR[1]


def test_pair():
    assert stock.PAIR.members == ["ann"]  # reads: shop.stock.PAIR[1]
