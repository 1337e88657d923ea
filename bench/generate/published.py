"""What the thesis of M. Biagiola reports for these applications: transitions covered and area under the curve, per
cent, means of 15 runs of 30 minutes of real browsers on another machine."""

PAGE_OBJECTS_BY_HAND = {
    "phoenix": {"dig-si": (72.1, 69.5), "dig-s": (74.6, 72.4), "subweb-mosa": (68.8, 65.5)},
    "dimeshift": {"dig-si": (70.8, 67.4), "dig-s": (70.3, 66.9), "subweb-mosa": (67.2, 62.2)},
    "splittypie": {"dig-si": (74.7, 70.8), "dig-s": (74.4, 70.6), "subweb-mosa": (67.0, 61.4)},
    "pagekit": {"dig-si": (65.0, 60.4), "dig-s": (65.1, 60.6), "subweb-mosa": (61.6, 56.4)},
}
"""Table 4.8. What is called SUBWEB there is the program with MOSA."""

PAGE_OBJECTS_OF_APOGEN = {
    "phoenix": {"dig-si": (99.7, 98.1), "dig-s": (99.7, 98.1), "subweb-mosa": (99.2, 94.8)},
    "dimeshift": {"dig-si": (99.4, 97.2), "dig-s": (100.0, 97.2), "subweb-mosa": (98.4, 95.1)},
    "splittypie": {"dig-si": (94.0, 91.0), "dig-s": (93.8, 90.7), "subweb-mosa": (91.0, 86.3)},
    "pagekit": {"dig-si": (96.3, 94.5), "dig-s": (97.6, 96.2), "subweb-mosa": (96.3, 93.3)},
}
"""Table 4.6: other page objects, with far fewer transitions (24, 35, 31 and 42)."""
