"""Words that join others and name nothing."""

from unknot.web.hints.names.word_list import word_list

MODALS = word_list("able can cannot could may might must shall should will would")
BEING = word_list("are be been being had has have is was were")
ARTICLES = word_list("a all an any each every her his its my no other our own some that the their this your")
CONJUNCTIONS = word_list("and or then")
LINKS = (
    MODALS
    | BEING
    | ARTICLES
    | CONJUNCTIONS
    | word_list(
        """
        about across after against also as at because before between but by did do does during for from i if in into me
        not of off on onto out over per so than them there they through to under until up upon us via we what when
        where whether which while who whose with within without yet you
        """
    )
)

BEFORE_A_VERB = MODALS | CONJUNCTIONS | word_list("not to")

ACTORS = word_list(
    "admin administrator anonymous client customer editor guest manager member moderator owner user visitor"
)
"""Who does it: before a verb (`user can add a course`) they are not what a test is about."""

WIDGETS = word_list(
    "bar button checkbox column dialog dropdown field form icon link menu modal page popup screen section tab"
)
"""Parts of a page: after a verb of seeing, `delete button` is a thing."""

LOOKING = word_list("assert check ensure expect see validate verify view")
"""Verbs that say that the rest of the name is looked at: `verify that user can add a course`."""
