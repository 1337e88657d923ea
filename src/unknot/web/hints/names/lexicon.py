"""The verbs of test names, and whether a test with such a verb changes what later tests may find; function words.

WordNet alone misjudges common verbs: by Wu-Palmer `add` is nearest to read and `view` to delete, `search` ties, and
`login` is not a verb there. So these lists come first. They are general test English, not that of particular suites.
A verb that changes only the session or the screen of the test itself (log in, sort, download) counts as reading.
"""


def word_list(text: str) -> frozenset[str]:
    """The words of a running text.

    >>> sorted(word_list("view search"))
    ['search', 'view']
    """
    return frozenset(text.split())


def word_pairs(text: str) -> dict[str, str]:
    """
    >>> word_pairs("deletion:delete log-in:login")
    {'deletion': 'delete', 'log-in': 'login'}
    """
    return dict(pair.split(":") for pair in text.split())


WRITES = word_list(
    """
    accept acknowledge activate add adjust adopt alter amend announce answer append apply approve archive arrange ask
    assign associate attach attempt authorise authorize autosave award backup ban begin bid bill block book bookmark
    borrow build bundle buy cancel capture change charge checkin checkout claim clean cleanup clear clone close combine
    comment commit complete compose configure confirm connect convert copy correct create credit crop customise
    customize deactivate debit decline decrease decrement delegate delete delist demote deny deploy deposit destroy
    detach disable discard disconnect dismiss dissociate do donate downgrade downvote draw drop duplicate earn edit
    elect empty enable end enlist enrol enroll erase escalate exchange exclude expire extend favorite favourite
    finalise finalize finish fire flag follow forget forward fulfil fulfill generate give grade grant hire import
    increase increment init initialise initialize insert install introduce invite invoice issue join kick label launch
    leave lend like link lock make mark merge message migrate modify move mute nominate notify offer onboard order
    organise organize overwrite paint paste patch pause pay perform permit persist pin place play populate post prepay
    prioritise prioritize produce promote propose provision publish pull purchase purge push put rank rate react
    rearrange rebook recharge reconfigure record recover recreate redeem redo reduce refund regenerate register
    reinstate reject release relocate remove rename renew rent reopen reorder repair replace reply repost request
    reschedule resend reserve reset resign resolve restart restock restore restrict resubmit resume retire retry revert
    review revise revoke reward rollback rotate save schedule seed sell send set settle setup share ship sign signup
    solve split star start stop store submit subscribe subtract suspend swap switch sync synchronise synchronize tag
    take terminate tick toggle topup transfer trash trigger turn unarchive unassign unban unblock uncheck undelete undo
    unenrol unenroll unfavorite unfavourite unflag unfollow uninstall unlike unlink unlock unmark unmute unpin
    unpublish unregister unreserve unset unshare unstar unsubscribe unsuspend untag update upgrade upload upsert upvote
    vote waive withdraw write
    """
)

READS = word_list(
    """
    access alert appear assert assess audit authenticate autocomplete browse calculate check collapse compare compute
    contain count crash describe detect determine discover display download echo ensure enumerate equal evaluate
    examine exist expand expect explore export fail fetch filter find focus get go have highlight hover identify
    include indicate inspect list listen load locate log login logoff logout look lookup match measure monitor navigate
    observe paginate parse ping preview print prompt query reach read recommend redirect refresh reload remain render
    resize retrieve reveal route scan scroll search see show signin signoff signout sort stay suggest summarise
    summarize throw track traverse validate verify view visit warn watch zoom
    """
)

NEUTRAL = word_list(
    """
    accomplish allow behave choose click cover drag enter execute fill handle help hide input interact keep let manage
    need open operate pick press prevent process raise report require respond return run select support swipe tap touch
    try type use want work
    """
)
"""Verbs that may mean anything: what is clicked, managed or opened may be changed or only viewed."""

VERBS = WRITES | READS | NEUTRAL

OFTEN_NOUNS = word_list(
    """
    access alert answer audit award backup ban bid bill block book bookmark change charge check checkin checkout claim
    clean clear close comment complete correct count credit crop debit deposit download drag draw duplicate echo empty
    end exchange export favorite favourite filter fire flag focus grade grant help hide input invoice issue label
    launch like link list load lock log login logout look lookup mark match measure message monitor offer open order
    paint patch pause permit pick pin ping place play post preview print process prompt purchase query rank rate reach
    record refund release rent repair reply report request reserve reset return review reward route run scan schedule
    search seed set setup share ship sign signin signout signup sort split star start stop store switch sync tag tick
    track transfer trash trigger turn type update upgrade upload use view visit vote watch work
    """
)
"""Words of the other lists that are as often nouns or adjectives: their position decides."""

ACTIONS = word_pairs(
    """
    activation:activate addition:add allocation:assign approval:approve archiving:archive assignment:assign
    authentication:authenticate authorisation:authenticate authorization:authenticate booking:book cancellation:cancel
    completion:complete configuration:configure confirmation:confirm creation:create deactivation:deactivate
    deletion:delete donation:donate enrollment:enrol enrolment:enrol generation:generate insertion:insert
    installation:install invitation:invite modification:modify navigation:navigate onboarding:onboard
    pagination:paginate payment:pay publication:publish redirection:redirect registration:register removal:remove
    rendering:render replacement:replace reservation:reserve restoration:restore sorting:sort submission:submit
    subscription:subscribe transaction:transfer validation:validate verification:verify visibility:view
    """
)
"""Nouns for actions: a name without a verb may have one of these instead."""

TWO_WORDS = word_pairs(
    """
    back-up:backup check-in:checkin check-out:checkout clean-up:cleanup log-in:login log-into:login log-off:logoff
    log-out:logout look-up:lookup opt-in:enrol opt-out:unsubscribe roll-back:rollback set-up:setup sign-in:signin
    sign-into:signin sign-off:signoff sign-out:signout sign-up:signup top-up:topup
    """
)
"""Verbs of two words, and the single word for each."""

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
"""Subjects: before a verb (`user can add a course`) they are not what a test is about."""

WIDGETS = word_list(
    "bar button checkbox column dialog dropdown field form icon link menu modal page popup screen section tab"
)
"""Parts of a page: after a verb of viewing, `delete button` is a noun."""

LOOKING = word_list("assert check ensure expect see validate verify view")
"""Verbs that make the rest of the name something to check: `verify that user can add a course`."""

STOP_WORDS = word_list(
    "test tests testing testcase testcases it its spec specs suite suites scenario scenarios negative positive"
)
"""Words that only say that this is a test."""
