"""A session that begins with what is known of pairs of tests from before."""

from unknot.detect.engine.session import SearchSession
from unknot.detect.incremental.baseline import Yesterday
from unknot.model.bits import bits


class BaselineSession(SearchSession):
    """What kept tests did without and after each other counts as seen, however often the session learns again."""

    _yesterday: Yesterday | None = None

    def remember(self, yesterday: Yesterday) -> None:
        """What a kept test did without others it did without whoever is new, too."""
        self._yesterday = yesterday
        self.learn_again()

    def learn_again(self) -> None:
        super().learn_again()
        if self._yesterday is None:
            return
        everyone, kept = (1 << len(self.suite)) - 1, bits(self._yesterday.kept)
        for test in self._yesterday.kept:
            self.pairs.without[test] |= everyone
            self.pairs.after[test] |= kept
