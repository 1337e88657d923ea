"""State inside of functions."""


def add_label(label, into=[]):
    into.append(label)  # writes: shop.labels.add_label.__defaults__[0]
    return into


def collect(item, *, into={}):
    into[item] = True  # writes: shop.labels.collect.__kwdefaults__['into']['ink']
    return into


def make_counter():
    count = 0

    def count_up():
        nonlocal count
        count += 1  # writes: shop.labels.count_up.<closure count>; reads: shop.labels.count_up.<closure count>
        return count

    return count_up


def make_recorder():
    seen = []

    def record(item):
        seen.append(item)  # writes: shop.labels.record.<closure seen>
        return list(seen)  # reads: shop.labels.record.<closure seen>

    return record


def stamp():
    return stamp.last  # reads: shop.labels.stamp.last


stamp.last = 0
count_up = make_counter()
record = make_recorder()
