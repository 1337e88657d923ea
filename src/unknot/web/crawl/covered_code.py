"""What a crawl has run of the application so far."""

from unknot.model.web.code_coverage import CodeSet, CodeSize, StepCoverage


class CoveredCode:
    """Collects the coverage of steps. `ran` and `known` are all code that ran, and all that was loaded.

    Cost
        Of a step: linear in what it ran, and in the ranges known of files and scripts in which it ran something new.
    """

    def __init__(self) -> None:
        self.ran = CodeSet()
        self.known = CodeSet()

    def add(self, coverage: StepCoverage | None) -> CodeSize | None:
        """How much of it no step ran before; None if nothing was measured."""
        if coverage is None:
            return None
        gained = coverage.ran.difference(self.ran)
        if gained:
            self.ran = self.ran.union(gained)
        self.known = self.known.union(coverage.known.union(gained).difference(self.known))
        return gained.size()
