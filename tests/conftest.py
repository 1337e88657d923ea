"""For all tests: how long an example of a law takes is never judged."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
