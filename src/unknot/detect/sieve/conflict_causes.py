"""From the sight of a broken test to who broke it: what every detector that looks for conflicts does with what it saw.

Guarantee: a pollution is learned only from the search that shows it; a sight that cannot be shown again is examined for
chance and given up. Cost: that of `polluted.pollutions_of` for each victim, all side by side.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from unknot.detect.engine.parallel import side_by_side
from unknot.detect.engine.session import SearchSession
from unknot.detect.sieve.isolation import Seen, find_flaky
from unknot.detect.sieve.polluters import Manner, pollutions_of


def unexplained(
    session: SearchSession, seen: Seen, aside: AbstractSet[int] = frozenset()
) -> dict[int, tuple[int, ...]]:
    """For each victim, those set aside and flaky ones excepted, the shortest sequence that nothing accounts for."""
    findings = session.findings
    found: dict[int, tuple[int, ...]] = {}
    for victim, sights in sorted(seen.broken.items()):
        if victim in findings.flaky or victim in aside:
            continue
        open_sights = [before for before in sights if not findings.accounts_for(victim, before)]
        if open_sights:
            found[victim] = min(open_sights, key=lambda before: (len(before), before))
    return found


def find_culprits(
    session: SearchSession, seen: Seen, evidence: Mapping[int, tuple[int, ...]], *, one_by_one: bool
) -> None:
    """Learns every pollution like those that broke these victims after these sequences."""
    findings = session.findings
    session.start_step("finding out who breaks whom", len(evidence))
    manner = Manner(one_by_one, session.breadth(len(evidence)))
    searches = {victim: pollutions_of(session, victim, before, manner) for victim, before in evidence.items()}
    for victim, pollutions in side_by_side(searches, session.run_orders).items():
        known = {known.polluters for known in findings.pollutions if known.victim == victim}
        new = [pollution for pollution in pollutions if pollution.polluters not in known]
        findings.pollutions.extend(new)
        if not new:
            # It cannot be shown again, or by nothing new: perhaps it was chance.
            find_flaky(session, session.request([*evidence[victim], victim]))
            seen.broken[victim] = [sight for sight in seen.broken[victim] if sight != evidence[victim]]
