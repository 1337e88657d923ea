"""PRADET's joint dependency: the third test needs the first unless the second has done its work."""

import machine


def test_1_switches_on():
    machine.switch_on()


def test_2_gives_a_job():
    machine.give("printing")


def test_3_works():
    assert machine.work() == "printing done"
