"""State of the tests themselves."""

import unittest

SEEN = []


class TestSteps:
    token = None

    def test_log_in(self):
        type(self).token = "t-1"  # writes: test_steps.TestSteps.token

    def test_use_token(self):
        assert self.token == "t-1"  # reads: test_steps.TestSteps.token


class LegacyTest(unittest.TestCase):
    def test_first(self):
        SEEN.append("first")  # writes: test_steps.SEEN

    def test_second(self):
        self.assertEqual(SEEN, ["first"])  # reads: test_steps.SEEN
